/**
 * Programs that were not considered when the rule was written that detects who waits for input
 * (`src/terminal/sessions/waiting.ts`). The expected answers were written down before any of them
 * was run. The programs used for the rule are in `src/terminal/sessions/programs_test.ts`.
 */

/** A program on a terminal, and the expected answer about it. */
export interface WaitingProgram {
  /** A line for bash. It runs in an empty folder, which is also its home. */
  readonly command: string;
  /** The terminal's input mode while it waits; `null` if it does not wait. */
  readonly mode: "line" | "password" | "raw" | null;
  /** Programs that must be installed; the first one names it in the table. */
  readonly needs: readonly string[];
  /** Text that it writes before it is checked; only for programs that do not wait. */
  readonly ready?: string;
  /** The reason why it cannot run in a sandbox. */
  readonly notInSandbox?: string;
}

const REPOSITORY = "git init -q .; git config user.name n; git config user.email e@x; " +
  "echo a > f; git add f; git commit -qm one; echo b >> f; ";
const OTHER_USER = "a sandbox has no other users";
/** A server that accepts connections and never answers, on the port in the file `port`. */
const SILENT_SERVER =
  'python3 -c \'import socket, time; s = socket.create_server(("127.0.0.1", 0)); ' +
  'print(s.getsockname()[1], file=open("port", "w"), flush=True); time.sleep(300)\' & ' +
  "until [ -s port ]; do sleep 0.1; done; ";
const C = 'printf \'#include <stdio.h>\\nint main(){int c;puts("ready");fflush(stdout);' +
  "c=getchar();return c;}' > a.c; gcc -g -o a.out a.c; ";

function waits(
  mode: "line" | "password" | "raw",
  needs: string,
  command: string,
  notInSandbox?: string,
): WaitingProgram {
  return { command, mode, needs: needs.split(" "), ...notInSandbox ? { notInSandbox } : {} };
}

function works(needs: string, command: string, ready = "ready"): WaitingProgram {
  return { command, mode: null, needs: needs.split(" "), ready };
}

/** Programs that wait. */
export const WAITING: readonly WaitingProgram[] = [
  // Questions.
  waits("raw", "npm", "npm init --offline"),
  waits("line", "ssh-keygen", "ssh-keygen -t ed25519"),
  waits("password", "ssh-keygen", "ssh-keygen -t ed25519 -f key"),
  waits("line", "rm", "touch f; rm -i f"),
  waits("line", "cp", "touch f g; cp -i f g"),
  waits("line", "mv", "touch f g; mv -i f g"),
  waits("line", "find", "touch f; find f -ok cat {} ';'"),
  waits("line", "xargs", "echo f | xargs -p echo"),
  waits("line", "patch", "printf -- '--- x\\n+++ x\\n@@ -1 +1 @@\\n-a\\n+b\\n' > p; patch -i p"),
  waits("line", "git", `${REPOSITORY} git add -p`),
  waits("line", "git", `${REPOSITORY} touch g; git clean -i`),
  waits("line", "git", "printf 'protocol=https\\nhost=x\\n\\n' | git credential fill"),
  waits(
    "line",
    "apt-get",
    "apt-get -o Debug::NoLocking=1 -o Dir::Bin::dpkg=/bin/false remove nano",
    "the sandbox has no package database to write to",
  ),
  waits("line", "openssl", "openssl req -new -newkey rsa:2048 -nodes -keyout k -out c"),
  waits("password", "openssl", "openssl genrsa -aes256 -out k 2048"),
  waits("password", "curl", "curl -s -u me http://127.0.0.1:9/"),
  waits("password", "sudo", "setpriv --reuid=65534 --clear-groups sudo -k true", OTHER_USER),
  waits("line", "sudo", "sudo cat", OTHER_USER),
  waits("password", "su", "setpriv --reuid=65534 --clear-groups su", OTHER_USER),
  waits("password", "passwd", "passwd", OTHER_USER),
  // Interpreters and shells.
  waits("raw", "deno", "deno repl"),
  waits("raw", "deno", "deno eval 'prompt(\"Name\")'"),
  waits("line", "deno", "echo 'Deno.readTextFileSync(\"x\")' > a.ts; deno run a.ts"),
  waits(
    "raw",
    "node",
    'node -e \'require("readline").createInterface({ input: process.stdin, ' +
      'output: process.stdout }).question("? ", () => {})\'',
  ),
  waits("line", "node", "node -e 'process.stdin.on(\"data\", () => {})'"),
  waits(
    "raw",
    "node",
    "node -e 'process.stdin.setRawMode(true).resume(); " +
      'require("http").createServer().listen(0, "127.0.0.1"); console.log("press q to quit")\'',
  ),
  waits("raw", "python3", "python3"),
  waits("raw", "python3", "echo 'x = 1' > a.py; python3 -m pdb a.py"),
  waits("raw", "python3", "python3 -c 'import curses; curses.wrapper(lambda s: s.getch())'"),
  waits(
    "line",
    "python3",
    "python3 -ISc 'import threading, time; threading.Thread(target=time.sleep, args=(300,)," +
      " daemon=True).start(); input()'",
  ),
  waits("line", "perl", "perl -e 'print \"> \"; <STDIN>'"),
  waits("raw", "ruby", "ruby -e 'require \"io/console\"; STDIN.getch'"),
  waits("line", "ruby", "ruby -e 'gets'"),
  waits("line", "tclsh", "tclsh"),
  waits("raw", "lua5.4", "lua5.4"),
  waits("raw", "php", "php -a"),
  waits("line", "php", "php -r 'fgets(STDIN);'"),
  waits("line", "awk", "awk '{ print }'"),
  waits("line", "sort", "sort"),
  waits("line", "dash", "dash -c 'printf \"Name: \"; read name'"),
  waits("raw", "zsh", "zsh -f"),
  waits("line", "zsh", "zsh -fc 'select x in a b; do break; done'"),
  waits("raw", "busybox", "busybox sh"),
  waits("raw", "ksh", "ksh"),
  waits("raw", "mksh", "mksh"),
  waits("raw", "fish", "fish --no-config"),
  waits("line", "expect", "expect -c 'expect_user x'"),
  // Debuggers, calculators, clients.
  waits("raw", "gdb", "gdb -q -nx"),
  waits("line", "gdb", `${C} gdb -q -nx -ex 'set debuginfod enabled off' -ex run a.out`),
  waits("line", "gcc", `${C} ./a.out`),
  waits("line", "strace", "strace -o /dev/null cat"),
  waits("raw", "bc", "bc -q"),
  waits("line", "dc", "dc"),
  waits("raw", "units", "units"),
  waits("raw", "ftp", "ftp"),
  waits("line", "telnet", "telnet"),
  waits("raw", "redis-cli", "redis-cli -p 1"),
  waits("raw", "fdisk", "truncate -s 10M disk; fdisk disk"),
  waits("raw", "gpg", "gpg --batch --quiet --list-keys; gpg --full-generate-key"),
  // Whole screens.
  waits("raw", "nano", "nano f"),
  waits("raw", "git", `${REPOSITORY} EDITOR=nano git commit -a`),
  waits("line", "ed", "ed"),
  waits("raw", "ex", "ex"),
  waits("raw", "joe", "joe f"),
  waits("raw", "micro", "micro f"),
  waits("raw", "mc", "mc"),
  waits("raw", "ncdu", "ncdu ."),
  waits("raw", "nnn", "nnn"),
  waits("raw", "fzf", "seq 5 | fzf"),
  waits("raw", "dialog", "dialog --yesno Sure 7 20"),
  waits("raw", "whiptail", "whiptail --yesno Sure 7 20"),
  waits("raw", "top", "top"),
  waits("raw", "htop", "htop"),
  waits("raw", "man", "MAN_KEEP_FORMATTING=1 man -P less man"),
  waits("raw", "more", "seq 200 | more"),
  waits("raw", "w3m", "echo text > f; w3m f"),
  waits("raw", "tmux", "tmux -f /dev/null -S ./socket new 'cat'"),
  // Inside other programs.
  waits("line", "timeout", "timeout --foreground 300 cat"),
  waits("line", "rlwrap", "rlwrap cat"),
  waits("line", "make", "printf 'all:\\n\\t@read x\\n' > Makefile; make"),
  waits("line", "npm", 'echo \'{"scripts":{"ask":"read x"}}\' > package.json; npm run ask'),
];

/** Programs that do not wait, although some look so. */
export const WORKING: readonly WaitingProgram[] = [
  works("bash", "echo ready; printf 'Are you sure? (y/n) '; sleep 300"),
  works("bash", "printf 'ready\\n>>> '; sleep 300"),
  works("bash", "printf 'ready\\n$ '; sleep 300"),
  works("stty", "echo ready; printf 'Password: '; stty -echo; sleep 300"),
  works("sleep", "echo ready; sleep 300"),
  works("yes", "echo ready; yes > /dev/null"),
  works("dd", "echo ready; dd if=/dev/zero of=/dev/null bs=1M"),
  works("tail", "echo ready > log; tail -F log"),
  works("less", "echo ready > log; less +F log"),
  works("watch", "watch -n 100 echo ready"),
  {
    ...works("ping", "ping 127.0.0.1", "bytes from"),
    notInSandbox: "a sandbox has no raw sockets",
  },
  works("nc", "echo ready; nc -d -l 127.0.0.1 0"),
  works("mkfifo", "mkfifo p; echo ready; cat p"),
  works("flock", "sleep 300 & exec 9> lock; flock 9; echo ready; flock lock true"),
  works("xargs", "echo ready; echo 300 | xargs sleep"),
  works("timeout", "echo ready; timeout 300 sleep 299"),
  works("nohup", "echo ready; nohup sleep 300"),
  works("make", "printf 'all:\\n\\t@echo ready; sleep 300\\n' > Makefile; make"),
  works("gcc", "echo ready; while :; do echo 'int main(){}' | gcc -O2 -x c -o a.out -; done"),
  works("npm", 'echo \'{"scripts":{"b":"echo ready; sleep 300"}}\' > package.json; npm run b'),
  works(
    "npm",
    `${SILENT_SERVER} echo ready; npm install --registry http://127.0.0.1:$(cat port) x`,
  ),
  works("curl", `${SILENT_SERVER} echo ready; curl -o f http://127.0.0.1:$(cat port)/`),
  works("wget", `${SILENT_SERVER} echo ready; wget http://127.0.0.1:$(cat port)/`),
  works("git", `${SILENT_SERVER} echo ready; git clone http://127.0.0.1:$(cat port)/x`),
  works("ssh", `${SILENT_SERVER} echo ready; ssh -F none -p $(cat port) 127.0.0.1`),
  works("python3", "python3 -u -m http.server --bind 127.0.0.1 0", "Serving"),
  works("python3", "python3 -c 'import time; print(\"ready\", flush=True); time.sleep(300)'"),
  works(
    "python3",
    'python3 -uc \'import itertools, time; print("ready")\n' +
      'for c in itertools.cycle("|/-"): print("\\r" + c, end=""); time.sleep(0.1)\'',
  ),
  works(
    "python3",
    'python3 -uc \'import subprocess; print("ready"); subprocess.run(["sleep", "300"])\'',
  ),
  works(
    "python3",
    'python3 -uc \'import threading, time; print("ready"); ' +
      "[threading.Thread(target=time.sleep, args=(300,)).start() for _ in range(4)]'",
  ),
  works(
    "python3",
    "python3 -uc 'import asyncio; print(\"ready\"); asyncio.run(asyncio.sleep(300))'",
  ),
  works("node", 'node -e \'require("http").createServer().listen(0, () => console.log("ready"))\''),
  works("node", "node -e 'console.log(\"ready\"); setTimeout(() => {}, 300000)'"),
  works("node", "node -e 'console.log(\"ready\"); for (;;);'"),
  works(
    "deno",
    "deno eval 'Deno.serve({ port: 0, onListen() { console.log(\"ready\"); } }, () => new Response())'",
  ),
  works("perl", "perl -e '$| = 1; print \"ready\\n\"; select(undef, undef, undef, 300)'"),
  works("ruby", "ruby -e 'puts \"ready\"; $stdout.flush; sleep 300'"),
  works("expect", "expect -c 'puts ready; spawn -noecho sleep 300; set timeout 300; expect x'"),
  works("strace", "echo ready; strace -o /dev/null sleep 300"),
  works("gdb", `${C} gdb -q -nx -ex 'set debuginfod enabled off' -ex 'run < <(sleep 300)' a.out`),
  works("vim", "vim -u NONE -n -c '!echo ready; sleep 300'"),
  works(
    "sqlite3",
    "echo ready; sqlite3 x 'with recursive c(n) as (select 1 union all select n + 1 from c) select count(*) from c'",
  ),
];
