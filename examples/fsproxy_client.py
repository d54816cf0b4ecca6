"""A client of the FS proxy protocol, for programs that `llmcmd fsproxy` runs. Python 3.6 or later,
standard library only: copy this file beside your program.

    import fsproxy_client
    files = fsproxy_client.connect()
    with files.open("in.txt", "r") as file:
        for chunk in file:
            ...

As a command it copies a file: python3 fsproxy_client.py FROM TO
"""

import base64, json, socket, struct, sys

CODES = ("E_ARG", "E_NOENT", "E_PERM", "E_IO", "E_CLOSED", "E_UNSUPPORTED", "E_RANGE")


class ProxyError(OSError):
    """A request was answered with an error; `code` is one of CODES."""

    def __init__(self, code, message):
        super().__init__("%s: %s" % (code, message))
        self.code = code
        self.message = message


class Client:
    """Requests over a socket. `chunk` is the most bytes of one read."""

    def __init__(self, sock, chunk=4096):
        self._socket = sock
        self._input = sock.makefile("rb", buffering=262144)
        self._next = 0
        self._answers = {}
        self.chunk = 4096
        if chunk > 4096:
            self.chunk = self.request("hello", chunk=chunk)["chunk"]

    def send(self, op, **params):
        """Sends a request and gives its id, so that several can be on their way at once."""
        self._next += 1
        name = str(self._next)
        document = json.dumps({"id": name, "op": op, "params": params}).encode()
        self._socket.sendall(struct.pack(">I", len(document)) + document)
        return name

    def receive(self, name):
        """Gives the result of the request with that id; raises ProxyError for an error."""
        while name not in self._answers:
            answer = self._frame()
            if answer["id"] == "?":
                raise ProxyError(answer["error"]["code"], answer["error"]["message"])
            self._answers[answer["id"]] = answer
        answer = self._answers.pop(name)
        if answer["ok"]:
            return answer.get("result", {})
        raise ProxyError(answer["error"]["code"], answer["error"]["message"])

    def request(self, op, **params):
        """Sends a request and waits for its result."""
        return self.receive(self.send(op, **params))

    def open(self, path, mode="r"):
        """Opens a file; mode is r, w, a or rw."""
        return File(self, self.request("open", path=path, mode=mode)["handle"])

    def llmcmd(self, prompt, files=(), stdin=None, stdout=None, stderr=None, top_level=True):
        """Has the LLM do a task; `files` are paths or open Files, the others open Files.

        Gives a dictionary with exit_code, usage and quota, and message where it failed. Without
        `stdout` the output, up to 64 KiB, is its `data`, as bytes.
        """
        number = lambda file: file.handle if isinstance(file, File) else file
        streams = {"stdin": stdin, "stdout": stdout, "stderr": stderr}
        given = {name: number(file) for name, file in streams.items() if file is not None}
        result = self.request("LLMCMD", prompt=prompt, top_level=top_level,
                              files=[number(file) for file in files], **given)
        if "data" in result:
            result["data"] = base64.b64decode(result["data"])
        return result

    def quota(self):
        """What was used of the LLM's budget and what is left: a dictionary with weighted_tokens
        and api_calls, each with used, limit and remaining; None where there is no limit."""
        return self.request("QUOTA")

    def close(self):
        """Ends the connection; what is open is closed."""
        self._input.close()
        self._socket.close()

    def _frame(self):
        header = self._exactly(4)
        return json.loads(self._exactly(struct.unpack(">I", header)[0]).decode())

    def _exactly(self, length):
        data = self._input.read(length)
        if len(data) < length:
            raise ProxyError("E_IO", "the server is gone")
        return data


class File:
    """An open file, which is read and written from where the last call ended."""

    def __init__(self, client, handle):
        self._client = client
        self.handle = handle

    def read(self, most=None):
        """Reads up to `most` bytes, at most a chunk; b"" at the end."""
        most = self._client.chunk if most is None else min(most, self._client.chunk)
        return base64.b64decode(self._client.request("read", h=self.handle, max=most)["data"])

    def write(self, data):
        """Writes all bytes."""
        for start in range(0, len(data), 32768):
            part = base64.b64encode(data[start:start + 32768]).decode()
            self._client.request("write", h=self.handle, data=part)
        return len(data)

    def __iter__(self):
        """Gives the rest of the file in chunks; asks for eight of them at a time."""
        ask = lambda: self._client.send("read", h=self.handle, max=self._client.chunk)
        asked = [ask() for _ in range(8)]
        ended = False
        while asked:
            data = base64.b64decode(self._client.receive(asked.pop(0))["data"])
            ended = ended or not data
            if not ended:
                asked.append(ask())
                yield data

    def close(self):
        """Closes it."""
        self._client.request("close", h=self.handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def connect(chunk=65536, fd=3):
    """Connects over an inherited descriptor."""
    return Client(socket.socket(fileno=fd), chunk)


def main(source, target):
    files = connect()
    with files.open(source, "r") as reader, files.open(target, "w") as writer:
        for chunk in reader:
            writer.write(chunk)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except ProxyError as error:
        sys.exit("fsproxy_client: %s" % error)
