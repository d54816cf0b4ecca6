import { agree, bytes } from "../../_testing.ts";

const TEXT = "hello world\nfoo bar\n\nabc=1 x^\nHello [World]\nlast * line";
const inputs = { text: bytes(TEXT) };

/** Each script as a separate argument, not processed by a shell. */
function scripts(...list: string[]): string[][] {
  return list.map((script) => [script]);
}

Deno.test("sed: escapes stand for characters, and produce special ones only where the manual says", () =>
  agree(
    "sed",
    scripts(
      "s/\\d104/X/;s/\\o150/Y/;s/\\x65/Z/",
      "s/x\\x5e/X/",
      "s/\\x5eh/X/",
      "s/\\x5b/X/;s/\\x5d/Y/",
      "s/ \\x2a/X/",
      "s/h/[\\x26]/;s/l/[\\o46]/;s/o/[\\d38]/",
      "s/h/\\cZ/;s/o/\\c\\\\/",
      "s/h\\c\\x/x/",
      "s/h/\\xg\\o9\\d/",
      "s/h/a\\tb\\nc\\fd\\ve\\a/",
      "y/h\\x6f/\\t\\n/",
      "y/\\x6c/\\x26/",
      "a\\ttab\\x41",
      "a \\x41\\o101\\d065",
    ),
    { inputs },
  ));

Deno.test("sed: where commands may end, and which of them need a newline", () =>
  agree(
    "sed",
    scripts(
      "p ; p # c",
      "y/a/b/ # c",
      "s/a/b/ ; p",
      "{;p;;}",
      "{p};p;}",
      "b end ; p ; : end",
      "{b end};:end",
      "{b end\n};:end",
      ":a b",
      ": ",
      "l 5;p",
      "l 5 p",
      "q5 ; p",
      "{r f}",
      "{r f\n}",
      "{w /dev/stdout}",
      "a x;p",
      "{a x\n;p}",
      "i\\",
      "$a\\",
      "2{c x\n}",
      "2,3{c x\n}",
      "2,4!c x",
      "$!{2,3c x\n}",
      "1 , 2 p",
      "1,2 !p",
      "/HELLO/ I p",
    ),
    { inputs },
  ));

Deno.test("sed: addresses of each form, at their limits", () =>
  agree(
    "sed",
    ["0~4p", "0~0p", "5~0p", "2~0p", "2,~4p", "4,~4p", "/x/,~4p", "2,+0p", "2,+2p", "9,+2p"]
      .concat("0,/h/Ip", "1,/h/Ip", "0,/nope/p", "3,2p", "/a/,1p", "$,1p", "2,$p", "$!p", "0p")
      .concat("0,5p", "0~3!p", "/foo/,//p", "\\%foo%p", "\\,a\\x2cb,p", "//p", "/x/{//!p}")
      .map((script) => ["-n", script]),
    { inputs },
  ));

Deno.test("sed: replacements change case, take numbers with g, and refer to what there is", () =>
  agree(
    "sed",
    scripts(
      "s/\\w\\+/\\u&/g",
      "s/\\(\\w*\\) \\(.*\\)/\\U\\2\\E \\l\\1/",
      "s/.*/\\Ufoo\\lBAR&/",
      "s/\\(b\\?\\)-/x\\u\\1foo/",
      "s/o/O/2p",
      "s/o/O/g2",
      "s/l/[&\\&]/2w /dev/stdout",
      "s/x*/-/g",
      "s/\\(b*\\)x*/[\\1]/g",
      "s/a/\\1/",
      "s/\\(a\\)/\\2/",
      "s/o/\\\n/",
    ),
    { inputs },
  ));

Deno.test("sed --posix and --sandbox refuse what they forbid", () =>
  agree(
    "sed",
    [
      ["--posix", "s/a\\|b/x/"],
      ["--posix", "s/l\\+/x/"],
      ["--posix", "N;N;N;N"],
      ["--posix", "a x"],
      ["--posix", "s/h/\\n/"],
      ["--posix", "/a/I p"],
      ["--posix", "0~2p"],
      ["--posix", "2,+1p"],
      ["--sandbox", "p;r f"],
      ["--sandbox", "w x"],
      ["--sandbox", "s/a/b/w x"],
      ["--sandbox", "R f"],
      ["--sandbox", "W f"],
      ["--sandbox", "e"],
    ],
    { inputs },
  ));
