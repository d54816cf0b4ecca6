# Keeper that is a subreaper (Linux, prctl(2)): whatever the command started and lost, with whatever
# session and environment, becomes a child of this process, so nothing leaves the tree. Python 3.6 or
# later, standard library only. Arguments, descriptors and reports are those of main.sh.
#
# Killing: stop what is in the tree until nothing new appears, then kill, and reap until there is no
# child left. Each signal goes to a process whose start time is still the one seen in the tree, and to
# its group: a group is in one session, sessions in the tree are the command's own, and a signal to a
# group can't be outrun by forking.

import ctypes, os, resource, select, signal, sys, time

run_id, mark, errors, duplex = sys.argv[1:5]
command = sys.argv[5:]
SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)

def say(text):
    try:
        os.write(3, (text + "\n").encode())
    except OSError:
        pass

libc = ctypes.CDLL(None)
if libc.prctl(36, 1, 0, 0, 0) != 0:
    sys.exit("this system has no subreapers")
libc.prctl(15, b"llmcmd-keeper", 0, 0, 0)
for number in SIGNALS:
    signal.signal(number, signal.SIG_IGN)
wake_read, wake_write = os.pipe()
os.set_blocking(wake_read, False)
os.set_blocking(wake_write, False)
signal.set_wakeup_fd(wake_write)
signal.signal(signal.SIGCHLD, lambda *_: None)
null = os.open("/dev/null", os.O_RDWR)

def found(program):
    """Whether it can be started: a path, or a name that is on the PATH."""
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
        try:
            limits = resource.getrlimit(resource.RLIMIT_RSS)
            resource.setrlimit(resource.RLIMIT_RSS, (int(mark), limits[1]))
        except (AttributeError, ValueError, OSError):
            pass
        os.execvp(command[0], command)
    except BaseException as error:
        os.write(2, ("Cannot start %s: %s\n" % (command[0], error)).encode("utf-8", "replace"))
    os._exit(126)

def stat(pid):
    """Parent, state, group and start time of a process, or None."""
    try:
        with open("/proc/%s/stat" % pid, "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        return int(fields[1]), fields[0], int(fields[2]), fields[19]
    except (OSError, IndexError):
        return None

def tree():
    """Living descendants: pid to (group, start time)."""
    children, seen = {}, {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            found = stat(name)
            if found:
                children.setdefault(found[0], []).append((int(name), found))
    todo = [os.getpid()]
    while todo:
        for pid, (_, state, group, start) in children.get(todo.pop(), ()):
            todo.append(pid)
            if state not in (b"Z", b"X"):
                seen[pid] = (group, start)
    return seen

def send(number, pid, group, start):
    now = stat(pid)
    if now is None or now[3] != start:
        return
    for kill, target in ((os.kill, pid), (os.killpg, group)):
        if kill is os.killpg and (group <= 1 or group == os.getpgrp() or now[2] != group):
            continue
        try:
            kill(target, number)
        except OSError:
            pass

def reap():
    """Reaps; the exit code of the command if it was among them, and whether no child is left."""
    code = None
    while True:
        try:
            child, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return code, True
        if child == 0:
            return code, False
        if child == first:
            code = 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)

def kill_all():
    stopped, rounds, end = set(), 0, time.monotonic() + 5
    while True:
        empty = reap()[1]
        if empty:
            return 0
        found = tree()
        if time.monotonic() > end:
            return len(found)
        fresh = [pid for pid in found if pid not in stopped]
        rounds += 1
        if fresh and rounds < 20:
            for pid in fresh:
                send(signal.SIGSTOP, pid, *found[pid])
            stopped.update(fresh)
            continue
        for pid in found:
            send(signal.SIGKILL, pid, *found[pid])
        time.sleep(0.0005)

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
    code, empty = reap()
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
