/** The files of the command lines in `_one_liners.ts`, by name. */
export const files: Readonly<Record<string, string>> = {
  "log": '10.0.0.1 - - [02/Mar/2024:10:01:07 +0000] "GET / HTTP/1.1" 200 512 "-" "curl/7.88"\n' +
    '10.0.0.2 - - [02/Mar/2024:10:05:59 +0000] "POST /login HTTP/1.1" 302 0 "-" "Mozilla/5.0 (X11)"\n' +
    '10.0.0.1 - - [02/Mar/2024:11:12:31 +0000] "GET /api?id=7 HTTP/1.1" 500 98 "-" "curl/7.88"\n' +
    '192.168.1.9 - - [03/Mar/2024:00:00:01 +0000] "GET /img/a.png HTTP/1.1" 404 0 "-" "-"\n' +
    '10.0.0.1 - - [03/Mar/2024:00:40:00 +0000] "PUT /api?id=7 HTTP/1.1" 200 20480 "-" "curl/7.88"\n' +
    '10.0.0.2 - - [03/Mar/2024:11:59:59 +0000] "GET / HTTP/1.1" 503 77 "-" "Mozilla/5.0 (X11)"\n',
  "app.log": "2024-03-01T10:00:00.120Z INFO  [http] took 152ms\n" +
    "2024-03-01T10:00:02.001Z ERROR [db] connection timeout after 30s\n" +
    "java.lang.RuntimeException: boom\n" +
    "\tat com.example.Foo.bar(Foo.java:7)\n" +
    "\tat com.example.Main.main(Main.java:3)\n" +
    "2024-03-01T11:30:00.500Z WARN  [auth] user=bob failed login\n" +
    "2024-03-02T09:15:42.000Z INFO  [http] took 7ms\n" +
    "2024-03-02T09:15:43.000Z ERROR [db] connection timeout after 5s\n",
  "people.csv": "id,name,email,age,city\n" +
    "1,Alice,alice@example.com,34,Paris\n" +
    '2,Jos\u00e9,jose@example.org,8,"S\u00e3o Paulo"\n' +
    "3,Bob,bob@example.com,51,Paris\n" +
    "4,\u674e\u96f7,li@example.org,27,\n" +
    "5,Zo\u00eb,zoe@example.com,34,Z\u00fcrich\n",
  "orders.tsv": "order\tcustomer\titem\tqty\n" +
    "1001\t3\tapple\t2\n" +
    "1002\t1\tbanana split\t10\n" +
    "1003\t3\tkiwi\t1\n" +
    "1004\t9\tapple\t7\n",
  "passwd": "root:x:0:0:root:/root:/bin/bash\n" +
    "daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n" +
    "alice:x:1000:1000:Alice A,,,:/home/alice:/bin/zsh\n" +
    "bob:x:1001:1001::/home/bob:/bin/bash\n",
  "text": "The quick brown fox jumps over the lazy dog.\n" +
    "\n" +
    '    The dog didn\'t mind: it was "asleep".\n' +
    "Mail foo.bar+baz@example.co.uk or see https://example.com/x?y=1 today.\n",
  "uni": "na\u00efve caf\u00e9\n" +
    "\u00dcber stra\u00dfe\n" +
    "\u65e5\u672c\u8a9e \u30c6\u30b9\u30c8\n" +
    "emoji \u{1f600} end\n",
  "crlf": "one,1\r\n" +
    "two,2\r\n" +
    "\r\n" +
    "three,3\r\n",
  "bom": "\ufeffid,name\n" +
    "1,x\n",
  "empty": "",
  "open": "alpha\n" +
    "beta\n" +
    "gamma",
  "nums": "10\n" +
    "9\n" +
    "-3\n" +
    "1000\n" +
    "2.5\n" +
    "1234567\n" +
    "9\n",
  "sizes": "1.5K foo\n" +
    "20M bar\n" +
    "3G baz\n" +
    "512 qux\n" +
    "2K a\n",
  "versions": "v1.10.0\n" +
    "v1.2.0\n" +
    "v1.2.0-rc1\n" +
    "v1.9.3\n" +
    "lib-1.0.so.10\n" +
    "lib-1.0.so.6\n",
  "dups": "b\n" +
    "a\n" +
    "a\n" +
    "B\n" +
    "b\n" +
    "b\n" +
    "\n" +
    "\n" +
    "A\n",
  "a": "apple\n" +
    "banana\n" +
    "cherry\n" +
    "fig\n",
  "b": "banana\n" +
    "cherry\n" +
    "durian\n",
  "dept": "10 Sales\n" +
    "20 Engineering\n" +
    "40 Legal\n",
  "staff": "10 Ann 5000\n" +
    "10 Bob 4000\n" +
    "20 Carl 7000\n" +
    "50 Ed 1\n",
  "json": '{"id": 1, "name": "Alice", "tags": ["a","b"]}\n' +
    '{"id": 30, "name": "Bob \\"B\\" O\'Neil"}\n',
  "ini": "# comment\n" +
    "[server]\n" +
    "host = localhost\n" +
    "port=8080   ; inline\n" +
    "\n" +
    "[client]\n" +
    "timeout = 30\n",
  "fixed": "0001Alice     Paris     00123.45\n" +
    "0002Bob       New York  00007.00\n",
  "page": "<p>One &amp; two.</p>\n" +
    '<a href="https://a.example/x">A</a> <a href="/rel">B</a>\n',
  "nul": "one\0two words\0three\n",
};
