/** Names of commands that are not here, separated by blanks, and how to do their work here. */
type Row = readonly [names: string, way: string];

const NO_SHELL = "there is no shell: give cmd the commands alone, joined by |";
const NO_PROGRAMS = "no programs can be run: join commands, such as " +
  "`sed -E 's/(a)b/\\1/' | sort | uniq -c`, or read the data and write the result yourself";
const NOTHING_BEFORE = "leave it out: the commands need nothing in front of them";
const NO_FOLDERS = "there are no folders: the inputs are the descriptors that were listed, which " +
  "pipe takes with in_fd and commands by name; `wc -c` gives the size";
const NO_FILES =
  "no files are made, changed or removed: what goes to fd 1 is the output, and pipe " +
  "without cmd copies from one descriptor to another";
const NO_ARCHIVES =
  "nothing here packs or unpacks: if the task cannot be done without it, say so " +
  "and call exit with a code from 1 to 255";
const NO_SYSTEM = "nothing is known of the system, and there are no variables: write values into " +
  "the command";
const CHECKSUMS = "the checksums are `md5sum` and `sha256sum`";
const A_TOOL = "it is a tool, not a command: call it by itself";

/** Each command in `` ` `` can be run as it stands; a test sees to that. */
const ROWS: readonly Row[] = [
  [
    "awk gawk mawk nawk",
    "take columns with `cut -d , -f 2` (at blanks `tr -s ' ' | cut -d ' ' -f 2`), select lines " +
    "with `grep -E '^[^,]*,x'`, rewrite them with `sed -E 's/^([^,]*),([^,]*)/\\2,\\1/'`, count " +
    "with `sort | uniq -c`; for sums, read the data and write the result",
  ],
  [
    "jq yq jaq gron xq",
    "read the JSON and write the result yourself; from a lot of it, take the values of a key with " +
    '`grep -o \'"name": *"[^"]*"\' | cut -d \'"\' -f 4`',
  ],
  [
    "xmllint xmlstarlet xsltproc pup htmlq pandoc html2text lynx w3m",
    "read the text and write the result yourself, or take pieces of it with " +
    "`grep -o '<b>[^<]*</b>'` and `sed 's/<[^>]*>//g'`",
  ],
  [
    "mlr csvcut csvgrep csvsort csvstat csvtool xsv qsv datamash sqlite3 q psql mysql",
    "take columns with `cut -d , -f 1,3`, sort by one with `sort -t , -k 2,2`, group and count " +
    "with `cut -d , -f 2 | sort | uniq -c`; join puts two inputs together, such as join -t , /dev/fd/3 /dev/fd/4",
  ],
  ["csvlook tabulate", "`column -t -s ,` aligns columns"],
  ["recode uconv native2ascii", "`iconv -f ISO-8859-1 -t UTF-8`; `iconv -l` lists the encodings"],
  [
    "bc dc expr let calc factor numfmt units",
    "work it out yourself and write the result; `seq 1 10` makes numbers, and " +
    "`printf '%.2f\\n' 3.14159` rounds one",
  ],
  [
    "python python2 python3 pypy perl ruby node nodejs deno bun php lua tclsh Rscript R java go " +
    "cargo gcc cc make npm npx pip git docker apt brew",
    NO_PROGRAMS,
  ],
  [
    "bash sh dash zsh ksh csh fish busybox eval source . alias if for while until case do done then " +
    "function { ( mapfile readarray",
    NO_SHELL,
  ],
  ["!", "there is no negation: `grep -v x` selects the lines that do not match"],
  [
    "xargs parallel",
    "no command is run for each line: change every line with `sed 's/^/- /'`, or join lines with " +
    "`paste -s -d ' '`",
  ],
  ["find ls dir vdir tree stat file du df locate cd pushd popd pwd realpath readlink", NO_FOLDERS],
  ["cp mv ln install rsync scp rename rm rmdir unlink mkdir touch chmod chown mktemp", NO_FILES],
  ["truncate shred fallocate", NO_FILES],
  ["dd", "take the beginning with `head -c 100`, what follows it with `tail -c +101`"],
  ["sponge", "leave it out: the output file is replaced when the run ends"],
  ["pv", "leave it out, or use `cat`"],
  [
    "curl wget http https nc ncat ssh ftp sftp ping dig",
    "there is no network: the data are what the descriptors hold",
  ],
  [
    "tar zip unzip gzip gunzip zcat gzcat bzip2 bunzip2 bzcat xz unxz xzcat lzma zstd unzstd zstdcat " +
    "lz4 7z compress uncompress zgrep zless ar cpio",
    NO_ARCHIVES,
  ],
  [
    "less more most pg bat batcat view open xdg-open",
    "`cat` passes everything on, `head -n 20` the beginning; to look at data yourself call the " +
    "tool read",
  ],
  [
    "vi vim nvim nano emacs ed ex code pico",
    "change text with `sed 's/old/new/g'`, or write the new text yourself",
  ],
  [
    "split csplit",
    "there is one output: take parts of the input with `sed -n '1,100p'`, " +
    "`sed -n '/begin/,/end/p'` or `tail -c +1001 | head -c 1000`",
  ],
  ["strings", "`grep -a -o -E '[[:print:]]{4,}'`"],
  ["hexdump hd", "`od -A x -t x1z` or `xxd`"],
  [
    "base32 basenc uuencode uudecode",
    "the encodings are `base64`, `base64 -d`, `xxd -p` and `xxd -r -p`",
  ],
  [
    "md5 sha1sum sha224sum sha256 sha384sum sha512sum sha shasum b2sum cksum sum crc32 openssl xxhsum",
    CHECKSUMS,
  ],
  ["tsort", "work out the order yourself and write it"],
  [
    "test [ [[",
    "there are no conditions: `grep -c x` counts what matches, and the result's status says " +
    "whether any did",
  ],
  ["date cal", "the time is not known here: write a date that the task or the data give"],
  [
    "printenv export set unset locale id whoami hostname uname ps top kill groups who uptime nproc " +
    "free lsof",
    NO_SYSTEM,
  ],
  ["sleep wait usleep", "leave it out: nothing has to be waited for"],
  [
    "env time sudo doas nohup nice ionice stdbuf unbuffer exec builtin timeout setsid script chroot " +
    "strace watch command",
    NOTHING_BEFORE,
  ],
  ["rg ag ack ripgrep ugrep pcregrep pcre2grep look agrep", "`grep -E 'one|two'` searches"],
  ["dos2unix", "`tr -d '\\r'`"],
  ["unix2dos", "`sed 's/$/\\r/'`"],
  ["jot", "`seq 1 10` makes numbers"],
  ["pr", "`nl -b a` numbers lines, `fold -s -w 72` and `fmt -w 72` break them"],
  ["colrm", "`cut -c 1-20` keeps characters of each line"],
  [
    "cmp sdiff diff3 colordiff wdiff vimdiff delta",
    "diff compares two inputs, such as diff /dev/fd/3 /dev/fd/4",
  ],
  [
    "man info help which type whereis whatis apropos",
    "each command tells its options: pipe `sort --help` without out_fd and read that pipe",
  ],
  ["read write pipe exit", A_TOOL],
];

let ways: ReadonlyMap<string, string> | undefined;

/** The names in the table, each with the way to do its work here. */
export function otherCommands(): ReadonlyMap<string, string> {
  return ways ??= new Map(
    ROWS.flatMap(([names, way]) => names.split(" ").map((name) => [name, way] as const)),
  );
}

/**
 * The way to do the work of another system's command here; `undefined` for an unknown name. Knows
 * also names with a version (`python3.12`) and GNU's names on other systems (`gfind`).
 */
export function wayOf(name: string): string | undefined {
  const known = otherCommands();
  const plain = name.replace(/[\d.]+$/, "");
  return known.get(name) ?? known.get(plain) ?? known.get(name.replace(/^g/, ""));
}
