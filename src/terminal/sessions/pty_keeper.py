# Keeper of a program on a terminal of its own: a pseudo-terminal (PTY) whose other end this process
# holds. It follows keepers/tree.py, which makes it a subreaper and kills the tree. In a sandbox it
# works the same inside the PID namespace, and the terminal is the sandbox's own.
#
# To save memory, as each session has a keeper, its parts, separated by two blank lines, are compiled
# one by one, and it imports little.
#
# Descriptor 1: the program's output, unchanged. The terminal is read only as fast as this output is
# taken, so that a slow reader slows the program (back-pressure).
# Descriptor 0: orders, one a line. Its end, also because the program at the other end died, is the
# order to kill everything. An order is words separated by blanks, with texts in base64:
#   first the program: ARGV, ENVIRONMENT (lists of texts that end with NUL), FOLDER, columns, rows, mark
#   (a limit on resident memory by which its processes are found if this one is killed)
#   write TEXT, size COLUMNS ROWS, facts ID, stop FORCE (1 or 0)
# Descriptor 2: reports, one line of JSON each; other lines are errors before the first report.
#   started (pid), failed (message)
#   facts: see facts()
#   exit (code: 128 + n for signal n), unless it was killed
#   dead (survivors; bytes: of output in all), the last one, after all output was written

import binascii, errno, fcntl, select, struct, termios

BLOCK = 65536
# A terminal returns no more per read.
PAGE = 4096

wake_read = become_keeper(b"llmcmd-pty", SIGNALS + (signal.SIGPIPE, signal.SIGTTOU))
os.set_blocking(1, False)


def json(value):
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return "%d" % value
    if isinstance(value, str):
        return '"%s"' % "".join(
            "\\u%04x" % ord(it) if it in '"\\' or it < " " else it for it in value)
    if isinstance(value, dict):
        return "{%s}" % ",".join("%s:%s" % (json(name), json(it)) for name, it in value.items())
    return "[%s]" % ",".join(json(it) for it in value)


def say(event, **fields):
    line = (json(dict(fields, event=event)) + "\n").encode("utf-8", "replace")
    try:
        while line:
            line = line[os.write(2, line):]
    except OSError:
        pass


def text(word):
    return binascii.a2b_base64(word)


def texts(word):
    return text(word).split(b"\0")[:-1]


class Orders:
    """The orders that come on descriptor 0, each a list of words."""

    def __init__(self):
        self.rest = b""
        self.ended = False

    def read(self):
        try:
            chunk = os.read(0, BLOCK)
        except OSError:
            chunk = b""
        self.ended = chunk == b""
        lines = (self.rest + chunk).split(b"\n")
        self.rest = lines.pop()
        return [line.split(b" ") for line in lines]


# The terminal and the program.

def set_size(terminal, columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def launch(argv, env, folder, mark, name, failure):
    """Becomes the program: in a session of its own, whose controlling terminal is the new one."""
    try:
        os.setsid()
        terminal = os.open(name, os.O_RDWR)
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
        for number in (0, 1, 2):
            os.dup2(terminal, number)
        os.chdir(text(folder))
        carry(mark)
        for number in SIGNALS + (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD, signal.SIGTTOU):
            signal.signal(number, signal.SIG_DFL)
        keep = max(failure, 3)
        if keep > 3:
            os.closerange(3, keep)
        os.closerange(keep + 1, 1024)
        os.set_inheritable(failure, False)
        argv = texts(argv)
        os.execve(argv[0], argv, dict(it.split(b"=", 1) for it in texts(env)))
    except BaseException as error:
        os.write(failure, ("%s" % error).encode("utf-8", "replace"))
    os._exit(126)


def begin(argv, env, folder, columns, rows, mark):
    """Starts the program; returns the master of the PTY, the slave's name and device, and the pid."""
    master, slave = os.openpty()
    set_size(master, int(columns), int(rows))
    modes = termios.tcgetattr(slave)
    modes[0] |= getattr(termios, "IUTF8", 0o40000)
    termios.tcsetattr(slave, termios.TCSANOW, modes)
    name = os.ttyname(slave)
    failure_read, failure_write = os.pipe()
    pid = os.fork()
    if pid == 0:
        launch(argv, env, folder, mark, name, failure_write)
    os.close(failure_write)
    device = os.fstat(slave).st_rdev
    # Wait until the program has opened it: the terminal is gone once nobody holds this end.
    message = os.read(failure_read, 4096).decode("utf-8", "replace")
    os.close(failure_read)
    os.close(slave)
    if message:
        os.waitpid(pid, 0)
        say("failed", message=message)
        os._exit(0)
    os.set_blocking(master, False)
    return master, name, device, pid


# Which processes wait for the terminal.

# System calls by number: those that read, and those that wait for descriptors.
CALLS = {
    "x86_64": {0: "read", 19: "read", 7: "poll", 271: "poll", 23: "select", 270: "select",
               232: "epoll", 281: "epoll", 441: "epoll"},
    "aarch64": {63: "read", 65: "read", 73: "poll", 72: "select", 22: "epoll", 441: "epoll"},
}
CALLS["riscv64"] = CALLS["aarch64"]
CALLS = CALLS.get(os.uname().machine, {})
DEV_TTY = os.makedev(5, 0)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def on_terminal(pid, fd):
    try:
        return os.stat("/proc/%d/fd/%d" % (pid, fd)).st_rdev in terminals
    except OSError:
        return False


def memory(pid, address, size):
    with open("/proc/%d/mem" % pid, "rb", 0) as file:
        file.seek(address)
        return file.read(size)


def waits(pid, task):
    """State of a thread: `running`; `read`, `read1` (one byte) or `poll`, if it waits for the terminal;
    `unknown`; None if it waits for something else."""
    try:
        words = read("/proc/%d/task/%s/syscall" % (pid, task)).split()
    except OSError as error:
        return None if error.errno in (errno.ENOENT, errno.ESRCH) else "unknown"
    if not words or not CALLS:
        return "unknown"
    if words[0] == b"running":
        return "running"
    call = CALLS.get(int(words[0]))
    if call is None:
        return None
    try:
        first, second = int(words[1], 16), int(words[2], 16)
        if call == "read":
            if not on_terminal(pid, first):
                return None
            # The shell's builtin `read` reads one character at a time, its prompt reads a line.
            return "read" if int(words[3], 16) != 1 else "read1"
        if call == "poll":
            entries = memory(pid, first, 8 * min(second, 4096))
            fds = [fd for fd, events, _ in struct.iter_unpack("=ihh", entries) if events & 1]
        elif call == "select":
            bits = memory(pid, second, 8 * ((first + 63) // 64)) if second else b""
            fds = [fd for fd in range(min(first, len(bits) * 8)) if bits[fd >> 3] >> (fd & 7) & 1]
        else:
            fds = []
            for line in read("/proc/%d/fdinfo/%d" % (pid, first)).splitlines():
                parts = line.split()
                if parts[:1] == [b"tfd:"] and int(parts[3], 16) & 1:
                    fds.append(int(parts[1]))
        return "poll" if any(fd >= 0 and on_terminal(pid, fd) for fd in fds) else None
    except (OSError, ValueError, struct.error):
        return "unknown"


def member(pid, state):
    """Facts about a process in the foreground; None if it has ended."""
    try:
        name = read("/proc/%d/comm" % pid).decode("utf-8", "replace").rstrip("\n")
        tasks = os.listdir("/proc/%d/task" % pid)
    except OSError:
        return None
    ways = set(waits(pid, task) for task in tasks)
    if state in (b"R", b"D"):
        ways.add("running")
    return dict(pid=pid, name=name, stopped=state in (b"T", b"t"),
                waits=sorted(way for way in ways if way))


def queued():
    """Bytes of input that the program has not read yet."""
    try:
        slave = os.open(name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return 0
    try:
        return struct.unpack("i", fcntl.ioctl(slave, termios.FIONREAD, bytes(4)))[0]
    except OSError:
        return 0
    finally:
        os.close(slave)


def relayed(members, processes):
    """The foreground process of another terminal to which one of the members passes its input, as
    `script` and `sudo` do: that process decides if input is waited for. None if there is none."""
    waiting = set(it["pid"] for it in members if set(it["waits"]) & {"read", "read1", "poll"})
    for pid, found in processes.items():
        if found.terminal in (0, own_terminal) or found.group != found.front:
            continue
        above = found.parent
        while above in processes and above not in waiting:
            above = processes[above].parent
        if above in waiting:
            return pid
    return None


def front(group, processes):
    members = [member(pid, it.state) for pid, it in processes.items() if it.group == group]
    return [it for it in members if it]


def facts():
    """Foreground group and its members, modes of the terminal, and bytes of output and input."""
    global terminals
    result = dict(foreground=None, members=[], canonical=None, echo=None)
    modes = None
    try:
        modes = termios.tcgetattr(master)[3]
        group = os.tcgetpgrp(master)
        processes = tree()
        terminals = (device, DEV_TTY)
        members = front(group, processes)
        inner = relayed(members, processes)
        if inner is not None:
            group, number = processes[inner].front, processes[inner].terminal
            terminals = (os.makedev(number >> 8 & 0xfff, number & 0xff | number >> 12 & 0xfff00), DEV_TTY)
            members = front(group, processes)
            modes = modes_of(inner) or modes
        result.update(foreground=group, members=members)
    except (OSError, termios.error):
        pass
    if modes is not None:
        result.update(canonical=bool(modes & termios.ICANON), echo=bool(modes & termios.ECHO))
    busy = bool(output or select.select([master], [], [], 0)[0]) if master_open else bool(output)
    result.update(bytes=written, busy=busy, queued=len(pending) + queued())
    return result


def modes_of(pid):
    """The modes of the terminal that is the input of a process; None if they are not available."""
    try:
        terminal = os.open("/proc/%d/fd/0" % pid, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        return termios.tcgetattr(terminal)[3]
    except termios.error:
        return None
    finally:
        os.close(terminal)


def ask_to_end():
    """Sends the signals of a closed terminal; stopped processes must continue to receive them."""
    for pid, found in tree().items():
        for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGCONT):
            now = stat(pid)
            if now is not None and now.start == found.start:
                try:
                    os.kill(pid, number)
                except OSError:
                    pass


# The loop.

orders = Orders()
waiting = []
while not waiting:
    waiting = orders.read()
    if orders.ended:
        os._exit(0)
code = None
output, pending, written = b"", b"", 0
master_open = True
master, name, device, first = begin(*waiting.pop(0))
terminals = (device, DEV_TTY)
# The device number in the form of /proc/PID/stat.
own_terminal = os.major(device) << 8 | os.minor(device) & 0xff | (os.minor(device) & ~0xff) << 12
say("started", pid=first)
deadline = None


def take_output():
    """Reads the program's output, as far as there is room for it."""
    global output, master_open
    parts, size = [output], len(output)
    while size < BLOCK:
        try:
            chunk = os.read(master, PAGE)
        except BlockingIOError:
            break
        except OSError:
            chunk = b""
        if not chunk:
            master_open = False
            break
        parts.append(chunk)
        size += len(chunk)
    output = b"".join(parts)


def give_output():
    global output, written
    try:
        count = os.write(1, output)
    except BlockingIOError:
        return
    except OSError:
        # Nobody reads it any more.
        count = len(output)
    output = output[count:]
    written += count


def obey(order):
    global pending, deadline
    op = order[0]
    if op == b"write":
        pending += text(order[1])
    elif op == b"size" and master_open:
        set_size(master, int(order[1]), int(order[2]))
    elif op == b"facts":
        say("facts", id=int(order[1]), **facts())
    elif op == b"stop" and order[1] == b"1":
        deadline = 0.0
    elif op == b"stop" and deadline is None:
        deadline = time.monotonic() + 2
        ask_to_end()


def end():
    """Kills the processes that are left, writes the rest of the output, and reports the end."""
    exited = code
    survivors = kill_all()
    while master_open or output:
        if len(output) < BLOCK and master_open:
            take_output()
            # The terminal ends with its last process; a survivor may hold it.
            if not output and master_open:
                break
        if output:
            ready = select.select([0], [1], [])
            if 0 in ready[0]:
                orders.read()
                if orders.ended:
                    os._exit(0)
            give_output()
    if exited is not None:
        say("exit", code=exited)
    say("dead", survivors=survivors, bytes=written)
    os._exit(0)


while True:
    for order in waiting:
        obey(order)
    reading, writing = [0, wake_read], []
    if master_open and len(output) < BLOCK:
        reading.append(master)
    if pending and master_open:
        writing.append(master)
    if output:
        writing.append(1)
    patience = None if deadline is None else max(0, min(0.02, deadline - time.monotonic()))
    readable, writable, _ = select.select(reading, writing, [], patience)
    waiting = []
    if wake_read in readable:
        try:
            os.read(wake_read, 4096)
        except OSError:
            pass
    if master in readable:
        take_output()
    if output:
        give_output()
    if master in writable:
        try:
            pending = pending[os.write(master, pending):]
        except BlockingIOError:
            pass
        except OSError:
            pending = b""
    ended, empty = reap(first)
    code = ended if code is None else code
    if 0 in readable:
        waiting = orders.read()
        if orders.ended:
            kill_all()
            os._exit(0)
    # The session ends with its program, whose background processes are killed, too.
    if code is not None and deadline is None or empty:
        end()
    if deadline is not None and time.monotonic() >= deadline:
        end()
