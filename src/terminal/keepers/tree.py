# Shared by the keepers in Python, whose programs follow it. Linux, Python 3.6 or later, standard
# library only.
#
# A keeper is a subreaper (prctl(2)): every orphan among its command's processes becomes its child,
# whatever the orphan's session and environment, so nothing leaves the tree.
#
# Killing: stop the processes in the tree until no new one appears, then kill them, and reap until
# no child is left. Each signal goes to a process whose start time is still the one seen, and to
# its group, because forking can't outrun a signal to a group. A group is in one session, and the
# sessions in the tree are the command's own.

import ctypes, os, resource, sys, time
# The module that `signal` is built on: `signal` makes classes of its numbers, which takes time and
# memory.
try:
    import _signal as signal
except ImportError:
    import signal

SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)

def become_keeper(name, ignored):
    """Makes this process a subreaper of that name; returns a descriptor that is readable when
    a child ends."""
    libc = ctypes.CDLL(None)
    if libc.prctl(36, 1, 0, 0, 0) != 0:
        sys.exit("this system has no subreapers")
    libc.prctl(15, name, 0, 0, 0)
    # Not dumpable (4), until a child executes a program: otherwise the command could open the
    # pipes of this process by their names in /proc, hold them, or write orders and reports.
    libc.prctl(4, 0, 0, 0, 0)
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_read, False)
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return wake_read

def carry(mark):
    """Gives this process, and all that it starts, a unique limit on resident memory."""
    try:
        limits = resource.getrlimit(resource.RLIMIT_RSS)
        resource.setrlimit(resource.RLIMIT_RSS, (int(mark), limits[1]))
    except (AttributeError, ValueError, OSError):
        pass

class Stat:
    """Facts about a process. `terminal`: the number of its controlling terminal; `front`: the foreground
    process group of that terminal."""
    __slots__ = ("parent", "state", "group", "terminal", "front", "start")

    def __init__(self, fields):
        self.parent, self.state, self.group = int(fields[1]), fields[0], int(fields[2])
        self.terminal, self.front, self.start = int(fields[4]), int(fields[5]), fields[19]

def stat(pid):
    """Facts about a process; None if it does not exist."""
    try:
        with open("/proc/%s/stat" % pid, "rb") as file:
            return Stat(file.read().rpartition(b")")[2].split())
    except (OSError, IndexError):
        return None

def tree():
    """Living descendants: a Stat for each pid."""
    children, seen = {}, {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            found = stat(name)
            if found:
                children.setdefault(found.parent, []).append((int(name), found))
    todo = [os.getpid()]
    while todo:
        for pid, found in children.get(todo.pop(), ()):
            todo.append(pid)
            if found.state not in (b"Z", b"X"):
                seen[pid] = found
    return seen

def send(number, pid, seen):
    """Sends a signal to a process and to its group, if it is still the one that was seen."""
    now = stat(pid)
    if now is None or now.start != seen.start:
        return
    for kill, target in ((os.kill, pid), (os.killpg, seen.group)):
        if kill is os.killpg and (
            seen.group <= 1 or seen.group == os.getpgrp() or now.group != seen.group
        ):
            continue
        try:
            kill(target, number)
        except OSError:
            pass

def reap(first=None):
    """Reaps children; returns the exit code of `first` if it was reaped, and True if no child is left."""
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
    """Kills all processes in the tree; returns the number of those left."""
    stopped, rounds, end = set(), 0, time.monotonic() + 5
    while True:
        if reap()[1]:
            return 0
        found = tree()
        if time.monotonic() > end:
            return len(found)
        fresh = [pid for pid in found if pid not in stopped]
        rounds += 1
        if fresh and rounds < 20:
            for pid in fresh:
                send(signal.SIGSTOP, pid, found[pid])
            stopped.update(fresh)
            continue
        for pid in found:
            send(signal.SIGKILL, pid, found[pid])
        time.sleep(0.0005)

