/**
 * Command lines as people and models write them: the line, its standard output, and its standard
 * error if not empty.
 */
export const oneLiners: readonly (readonly [line: string, stdout: string, stderr?: string])[] = [
  [
    "cut -d ' ' -f 1 log | sort | uniq -c | sort -rn",
    "      3 10.0.0.1\n" +
    "      2 10.0.0.2\n" +
    "      1 192.168.1.9\n",
  ],
  [
    "grep -oE '\" [0-9]{3} ' log | tr -d '\" ' | sort | uniq -c | sort -k1,1nr -k2",
    "      2 200\n" +
    "      1 302\n" +
    "      1 404\n" +
    "      1 500\n" +
    "      1 503\n",
  ],
  [
    "sed -E 's/.*\"(GET|POST|PUT) ([^ ]+) HTTP.*/\\1 \\2/' log | sort | uniq -c | sort -rn | head -n 2",
    "      2 GET /\n" +
    "      1 PUT /api?id=7\n",
  ],
  [
    "sed -n 's/.*\\[\\([^:]*\\):\\([0-9]*\\):.*/\\2/p' log | sort -n | uniq -c",
    "      2 00\n" +
    "      2 10\n" +
    "      2 11\n",
  ],
  [
    "grep -vE ' (200|302) ' log | cut -d '\"' -f 2 | sort -u",
    "GET / HTTP/1.1\n" +
    "GET /api?id=7 HTTP/1.1\n" +
    "GET /img/a.png HTTP/1.1\n",
  ],
  [
    "grep -oP '\\d{1,3}(\\.\\d{1,3}){3}' log | sort -uV",
    "10.0.0.1\n" +
    "10.0.0.2\n" +
    "192.168.1.9\n",
  ],
  [
    "sed -E 's/.* ([0-9]{3}) ([0-9]+) .*/\\2 \\1/' log | sort -rn | head -n 3",
    "20480 200\n" +
    "512 200\n" +
    "98 500\n",
  ],
  [
    "cut -d '[' -f 2 log | cut -d : -f 1 | uniq -c | sed 's/^ *//'",
    "3 02/Mar/2024\n" +
    "3 03/Mar/2024\n",
  ],
  [
    "grep -E 'ERROR|WARN' app.log | sed -E 's/^[^ ]+ ([A-Z]+) +\\[([^]]+)\\].*/\\1 \\2/' | sort | uniq -c | sort -rn",
    "      2 ERROR db\n" +
    "      1 WARN auth\n",
  ],
  ["grep -oP 'took \\K\\d+(?=ms)' app.log | sort -n | tail -n 1", "152\n"],
  [
    "sed -e ':a' -e '$!N' -e '/\\n\\t/{s/\\n\\t/ <- /;ta' -e '}' -e 'P;D' app.log | grep boom",
    "java.lang.RuntimeException: boom <- at com.example.Foo.bar(Foo.java:7) <- at com.example.Main.main(Main.java:3)\n",
  ],
  [
    "sed -n '/RuntimeException/,/main/p' app.log | nl -ba -w2 -s': '",
    " 1: java.lang.RuntimeException: boom\n" +
    " 2: \tat com.example.Foo.bar(Foo.java:7)\n" +
    " 3: \tat com.example.Main.main(Main.java:3)\n",
  ],
  [
    "cut -c 1-13 app.log | grep T | uniq -c",
    "      2 2024-03-01T10\n" +
    "      1 2024-03-01T11\n" +
    "      2 2024-03-02T09\n",
  ],
  [
    "grep -n -B1 boom app.log | cut -d : -f 1",
    "2-2024-03-01T10\n" +
    "3\n",
  ],
  ["tac app.log | grep -m1 ERROR | cut -c 1-30", "2024-03-02T09:15:43.000Z ERROR\n"],
  [
    "sed -E 's/[0-9]+/N/g' app.log | sort | uniq -cd",
    "      2 N-N-NTN:N:N.NZ ERROR [db] connection timeout after Ns\n" +
    "      2 N-N-NTN:N:N.NZ INFO  [http] took Nms\n",
  ],
  [
    "tail -n +2 people.csv | cut -d , -f 5 | sort | uniq -c | sort -rn",
    "      2 Paris\n" +
    "      1 Z\u00fcrich\n" +
    '      1 "S\u00e3o Paulo"\n' +
    "      1 \n",
  ],
  [
    "tail -n +2 people.csv | sort -t , -k4,4n -k2,2 | cut -d , -f 2,4",
    "Jos\u00e9,8\n" +
    "\u674e\u96f7,27\n" +
    "Alice,34\n" +
    "Zo\u00eb,34\n" +
    "Bob,51\n",
  ],
  [
    "sed 1d people.csv | cut -d , -f 3 | cut -d @ -f 2 | sort | uniq -c",
    "      3 example.com\n" +
    "      2 example.org\n",
  ],
  [
    "cut -d , --complement -f 3,4 people.csv | head -n 3 | tr , '\\t' | expand -t 4,12",
    "id  name    city\n" +
    "1   Alice   Paris\n" +
    '2   Jos\u00e9   "S\u00e3o Paulo"\n',
  ],
  [
    "head -n1 people.csv | tr , '\\n' | cat -n",
    "     1\tid\n" +
    "     2\tname\n" +
    "     3\temail\n" +
    "     4\tage\n" +
    "     5\tcity\n",
  ],
  [
    "sed -E '1d;s/^[0-9]+,([^,]+),([^,]+),.*/\\1 <\\2>/' people.csv | tail -n 2",
    "\u674e\u96f7 <li@example.org>\n" +
    "Zo\u00eb <zoe@example.com>\n",
  ],
  ["grep -P '[^\\x00-\\x7F]' people.csv | wc -lm", "      3      94\n"],
  ["sort -t , -k5,5 -u people.csv | cut -d , -f 1 | paste -sd ' '", "4 2 1 5 id\n"],
  [
    "tail -n +2 orders.tsv | cut -f 3 | sort | uniq -c | sort -k1,1nr -k2",
    "      2 apple\n" +
    "      1 banana split\n" +
    "      1 kiwi\n",
  ],
  [
    "sort -k4,4nr orders.tsv -t '\t' | head -n 2 | cut -f 3-",
    "banana split\t10\n" +
    "apple\t7\n",
  ],
  ["cut -f 4 orders.tsv | sed 1d | paste -sd +", "2+10+1+7\n"],
  [
    "tail -n1 orders.tsv | tr '\\t' '\\n' | paste - -",
    "1004\t9\n" +
    "apple\t7\n",
  ],
  [
    "sort -t : -k3,3nr passwd | cut -d : -f 1,3",
    "bob:1001\n" +
    "alice:1000\n" +
    "daemon:1\n" +
    "root:0\n",
  ],
  [
    "grep -v nologin passwd | cut -d : -f 7 | sort | uniq -c",
    "      2 /bin/bash\n" +
    "      1 /bin/zsh\n",
  ],
  [
    "cut -d : -f 6 passwd | rev | cut -d / -f 1 | rev",
    "root\n" +
    "sbin\n" +
    "alice\n" +
    "bob\n",
  ],
  [
    "tr -cs 'A-Za-z' '\\n' text | cat",
    "",
    "tr: extra operand \u2018text\u2019\n" +
    "Try 'tr --help' for more information.\n",
  ],
  [
    "cat text | tr -cs 'A-Za-z' '\\n' | tr A-Z a-z | sort | uniq -c | sort -k1,1nr -k2 | head -n 4",
    "      3 the\n" +
    "      2 dog\n" +
    "      2 example\n" +
    "      1 asleep\n",
  ],
  [
    "grep -oE '[[:alnum:]._%+-]+@[[:alnum:].-]+\\.[a-z]{2,}|https?://[^ /]+' text",
    "foo.bar+baz@example.co.uk\n" +
    "https://example.com\n",
  ],
  [
    "grep -v '^$' text | sed 's/^[ \\t]*//;s/.*/\\L&/;s/^./\\u&/'",
    "The quick brown fox jumps over the lazy dog.\n" +
    'The dog didn\'t mind: it was "asleep".\n' +
    "Mail foo.bar+baz@example.co.uk or see https://example.com/x?y=1 today.\n",
  ],
  ["fold -s -w 20 text | grep -c .", "11\n"],
  ["fmt -w 30 text | wc -L", "29\n"],
  [
    "sed 's/./X/g' uni | sort | uniq -c",
    "      1 XXXXXXX\n" +
    "      1 XXXXXXXXXX\n" +
    "      2 XXXXXXXXXXX\n",
  ],
  [
    "rev uni | cut -d ' ' -f 1 | rev",
    "caf\u00e9\n" +
    "stra\u00dfe\n" +
    "\u30c6\u30b9\u30c8\n" +
    "end\n",
  ],
  ["grep -i \u00fcber uni | sed 's/.*/\\U&/'", "\u00dcBER STRA\u00dfE\n"],
  ["sed 'y/\u00e9\u00ef\u00fc/eiu/' uni | head -n 1 | tr a-z A-Z", "NAIVE CAFE\n"],
  [
    "tr -d '\\r' crlf | cat",
    "",
    "tr: extra operand \u2018crlf\u2019\n" +
    "Only one string may be given when deleting without squeezing repeats.\n" +
    "Try 'tr --help' for more information.\n",
  ],
  ["cat crlf | tr -d '\\r' | grep -v '^$' | cut -d , -f 2 | paste -sd ,", "1,2,3\n"],
  ["grep -c '1$' crlf", "0\n"],
  ["sed 's/\\r$//' crlf | tac | head -n 1", "three,3\n"],
  ["cut -d , -f 2 crlf | od -An -c", "   1  \\r  \\n   2  \\r  \\n  \\r  \\n   3  \\r  \\n\n"],
  ["sed '1s/^\\xEF\\xBB\\xBF//' bom | head -n 1 | xxd -p", "69642c6e616d650a\n"],
  ["head -c 3 bom | od -An -tx1", " ef bb bf\n"],
  ["sort empty | uniq -c | wc", "      0       0       0\n"],
  [
    "cat open open | sort | uniq -c",
    "      1 alpha\n" +
    "      2 beta\n" +
    "      1 gamma\n" +
    "      1 gammaalpha\n",
  ],
  [
    "tac open | nl",
    "     1\tgammabeta\n" +
    "     2\talpha\n",
  ],
  ["sed '$a end' open | tail -n 2 | paste -sd ' '", "gamma end\n"],
  ["paste open a | cut -f 2 | sort -r | head -n 1", "fig\n"],
  [
    "sort -n nums | uniq | sed -n '1p;$p'",
    "-3\n" +
    "1234567\n",
  ],
  [
    "sed -E ':a;s/([0-9])([0-9]{3})($|,)/\\1,\\2\\3/;ta' nums | sort -g",
    "-3\n" +
    "1,000\n" +
    "1,234,567\n" +
    "2.5\n" +
    "9\n" +
    "9\n" +
    "10\n",
  ],
  ["sort -hr sizes | cut -d ' ' -f 2 | paste -sd '<'", "baz<bar<a<foo<qux\n"],
  [
    "sort -V versions | tac | head -n 3",
    "v1.10.0\n" +
    "v1.9.3\n" +
    "v1.2.0-rc1\n",
  ],
  [
    "sort -f dups | uniq -ci",
    "      2 \n" +
    "      3 A\n" +
    "      4 B\n",
  ],
  [
    "sort dups | uniq --group | cat -n | tail -n 4",
    "    10\t\n" +
    "    11\tb\n" +
    "    12\tb\n" +
    "    13\tb\n",
  ],
  ["sed '$!N; /^\\(.*\\)\\n\\1$/!P; D' dups | tr '\\n' ,", "b,a,B,b,,A,"],
  ["comm -12 a b | tr '\\n' ' '", "banana cherry "],
  ["comm --total a b | tail -n 1 | tr '\\t' ,", "2,1,2,total\n"],
  ["grep -Fxvf b a | paste -sd ,", "apple,fig\n"],
  [
    "sort a b | uniq -d | sed 's/^/both: /'",
    "both: banana\n" +
    "both: cherry\n",
  ],
  [
    "join -a1 -a2 -e - -o 0,1.2,2.2 dept staff | sort -k2",
    "50 - Ed\n" +
    "20 Engineering Carl\n" +
    "40 Legal -\n" +
    "10 Sales Ann\n" +
    "10 Sales Bob\n",
  ],
  [
    "join dept staff | sort -k4,4n | cut -d ' ' -f 2,3",
    "Sales Bob\n" +
    "Sales Ann\n" +
    "Engineering Carl\n",
  ],
  [
    "cut -d ' ' -f 1 staff | uniq -c | sed -E 's/ *([0-9]+) (.*)/\\2 \\1/' | join - dept",
    "10 2 Sales\n" +
    "20 1 Engineering\n",
  ],
  [
    'sed -nE \'s/.*"name": "(([^"\\\\]|\\\\.)*)".*/\\1/p\' json | sed \'s/\\\\"/"/g\'',
    "Alice\n" +
    'Bob "B" O\'Neil\n',
  ],
  ["grep -oP '\"id\":\\s*\\K\\d+' json | paste -sd +", "1+30\n"],
  [
    "sed -n '/^\\[server\\]/,/^\\[/p' ini | sed '1d;$d;s/ *;.*//;s/ *= */=/' | grep =",
    "host=localhost\n" +
    "port=8080\n",
  ],
  [
    "sed -E 's/^(.{4})(.{10})(.{10})(.*)/\\1|\\2|\\3|\\4/;s/ +\\|/|/g;s/\\|0+/|/' fixed | cut -d '|' -f 2-",
    "Alice|Paris|123.45\n" +
    "Bob|New York|7.00\n",
  ],
  ["sed 's/<[^>]*>//g;s/&amp;/\\&/g' page | head -n 1", "One & two.\n"],
  [
    "grep -oP '(?<=href=\")[^\"]+' page | sort -r",
    "https://a.example/x\n" +
    "/rel\n",
  ],
  [
    "tr '\\0' '\\n' nul | cat",
    "",
    "tr: extra operand \u2018nul\u2019\n" +
    "Try 'tr --help' for more information.\n",
  ],
  ["cat nul | tr '\\0' '\\n' | sort | head -n 1", "one\n"],
  [
    "sort -z nul | tr '\\0' '|' | sed 's/$/\\n/'",
    "one|three\n" +
    "\n" +
    "|two words|\n",
  ],
  [
    "seq 10 | paste - - - | sed 's/\\t*$//'",
    "1\t2\t3\n" +
    "4\t5\t6\n" +
    "7\t8\t9\n" +
    "10\n",
  ],
  ["seq -w 8 11 | rev | sort -n | rev | paste -sd ,", "10,11,08,09\n"],
  ["seq 1 .5 3 | tr . , | paste -sd ' '", "1,0 1,5 2,0 2,5 3,0\n"],
  [
    "seq 100 | sed -n '0~25p' | tac | head -n 2",
    "100\n" +
    "75\n",
  ],
  [
    "yes ab | head -n 3 | tr -d '\\n' | fold -w 4",
    "abab\n" +
    "ab",
  ],
  [
    "md5sum a b | sort | cut -c 1-8",
    "b32f93de\n" +
    "eb15c8d8\n",
  ],
  ["sha256sum a | sha256sum -c", "a: OK\n"],
  [
    "base64 -w 8 a | head -n 2 | base64 -d",
    "apple\n" +
    "banana",
  ],
  ["xxd -p a | fold -w 2 | sort | uniq -c | sort -k1,1nr -k2 | head -n 1", "      4 0a\n"],
  [
    "diff a b | grep '^[<>]' | sort",
    "< apple\n" +
    "< fig\n" +
    "> durian\n",
  ],
  ["diff -U1 a b | tail -n +3 | grep -c '^[-+]'", "3\n"],
  [
    "cat a | tee copy | comm -23 - b",
    "apple\n" +
    "fig\n",
  ],
  ["grep x a | sort | uniq -c", ""],
  ["cut -f 1 missing | sort", "", "cut: missing: No such file or directory\n"],
  ["sort -k2 nothere | head -n 1", "", "sort: cannot read: nothere: No such file or directory\n"],
  [
    "tr a-z | cat",
    "",
    "tr: missing operand after \u2018a-z\u2019\n" +
    "Two strings must be given when translating.\n" +
    "Try 'tr --help' for more information.\n",
  ],
];
