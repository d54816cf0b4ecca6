"""The same as _fsproxy_client.py, from OpenSSH's sftp-server: SFTP 3 over two pipes."""

import struct, subprocess, sys, time

server, path = sys.argv[1:3]
total, chunk, window = map(int, sys.argv[3:6])
child = subprocess.Popen([server], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
reader = open(child.stdout.fileno(), "rb", buffering=65536, closefd=False)


def send(kind, body):
    child.stdin.write(struct.pack(">IB", len(body) + 1, kind) + body)


def receive():
    (length,) = struct.unpack(">I", reader.read(4))
    return reader.read(length)


def text(value):
    return struct.pack(">I", len(value)) + value


send(1, struct.pack(">I", 3))
receive()
send(3, struct.pack(">I", 0) + text(path.encode()) + struct.pack(">II", 1, 0))
opened = receive()
if opened[0] != 102:
    raise SystemExit(f"cannot open {path}: {opened!r}")
handle = opened[5:]
begin = time.perf_counter()
sent = received = 0
while received < total:
    while sent < total and sent - received < chunk * window:
        send(5, struct.pack(">I", 1) + handle + struct.pack(">QI", sent, chunk))
        sent += chunk
    data = receive()
    if data[0] != 103:
        raise SystemExit(f"cannot read: {data!r}")
    received += len(data) - 9
print(time.perf_counter() - begin)
child.kill()
