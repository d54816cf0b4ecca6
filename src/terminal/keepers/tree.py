# What the keepers in Python share. It stands before the program of each. Linux, Python 3.6 or later,
# standard library only.
#
# A keeper is a subreaper (prctl(2)): whatever its command started and lost, with whatever session and
# environment, becomes a child of it, so nothing leaves the tree.
#
# Killing: stop what is in the tree until nothing new appears, then kill, and reap until there is no
# child left. Each signal goes to a process whose start time is still the one seen in the tree, and to
# its group: a group is in one session, sessions in the tree are the command's own, and a signal to a
# group can't be outrun by forking.

import ctypes, os, resource, sys, time
# The module below `signal`: that makes classes of its numbers, which takes time and memory.
try:
    import _signal as signal
except ImportError:
    import signal

SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)

def become_keeper(name, ignored):
    """Makes this process a subreaper of that name; a descriptor that can be read when a child ends."""
    libc = ctypes.CDLL(None)
    if libc.prctl(36, 1, 0, 0, 0) != 0:
        sys.exit("this system has no subreapers")
    libc.prctl(15, name, 0, 0, 0)
    # Not dumpable (4), until a child executes something: else the command could open the pipes of
    # this process by their names in /proc, hold them, or write orders and reports.
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
    """Gives this process, and all that it starts, a limit on resident memory that nothing else has."""
    try:
        limits = resource.getrlimit(resource.RLIMIT_RSS)
        resource.setrlimit(resource.RLIMIT_RSS, (int(mark), limits[1]))
    except (AttributeError, ValueError, OSError):
        pass

class Stat:
    """What is known of a process. `terminal`: the number of its controlling terminal, and `front` the
    foreground group of that."""
    __slots__ = ("parent", "state", "group", "terminal", "front", "start")

    def __init__(self, fields):
        self.parent, self.state, self.group = int(fields[1]), fields[0], int(fields[2])
        self.terminal, self.front, self.start = int(fields[4]), int(fields[5]), fields[19]

def stat(pid):
    """What is known of a process, or None."""
    try:
        with open("/proc/%s/stat" % pid, "rb") as file:
            return Stat(file.read().rpartition(b")")[2].split())
    except (OSError, IndexError):
        return None

def tree():
    """Living descendants: pid to what stat() tells of it."""
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
    """Reaps; the exit code of the process `first` if it was reaped, and whether no child is left."""
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
    """Kills all that is in the tree; gives how many processes are left."""
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

