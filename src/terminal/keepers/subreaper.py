# Keeper that is a subreaper, for Linux. It follows tree.py. Arguments, descriptors and reports are
# those of main.sh.

import select

run_id, mark, errors, duplex = sys.argv[1:5]
command = sys.argv[5:]

def say(text):
    try:
        os.write(3, (text + "\n").encode())
    except OSError:
        pass

wake_read = become_keeper(b"llmcmd-keeper", SIGNALS)
null = os.open("/dev/null", os.O_RDWR)

def found(program):
    """True if a program can be started: a path, or a name on the PATH."""
    folders = [""] if "/" in program else os.get_exec_path()
    paths = [os.path.join(folder, program) for folder in folders]
    return any(os.path.isfile(path) and os.access(path, os.X_OK) for path in paths)

def launch():
    try:
        os.setsid()
        for number in SIGNALS + (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        if errors == "merge":
            os.dup2(1, 2)
        if duplex == "duplex":
            os.dup2(4, 3)
        os.closerange(4 if duplex == "duplex" else 3, 1024)
        os.environ["LLMCMD_RUN_ID"] = run_id
        carry(mark)
        os.execvp(command[0], command)
    except BaseException as error:
        os.write(2, ("Cannot start %s: %s\n" % (command[0], error)).encode("utf-8", "replace"))
    os._exit(126)

for name in ("DENO_EXTRA_STDIO_FDS", "LLMCMD_KEEPER"):
    os.environ.pop(name, None)
if not found(command[0]):
    say("missing")
    os._exit(0)
say("ready")
first = os.fork()
if first == 0:
    launch()
for number in (0, 1, 2):
    os.dup2(null, number)
if duplex == "duplex":
    os.close(4)
ended = False
while True:
    ready = select.select([3, wake_read], [], [])[0]
    if wake_read in ready:
        try:
            os.read(wake_read, 4096)
        except OSError:
            pass
    code, empty = reap(first)
    if code is not None:
        ended = True
        say("exit %d %d" % (code, 0 if empty else 1))
    if ended and empty:
        say("dead 0")
        break
    if 3 in ready:
        say("dead %d" % kill_all())
        break
os._exit(0)
