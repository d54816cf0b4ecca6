import assert from "node:assert/strict";
import { grepOutputs, onlyMatching } from "./_testing.ts";
import { compilePerl, type PerlOptions, type Regex, RegexError } from "../mod.ts";
import { UnsupportedPattern } from "./pieces.ts";
import { optional, thorough } from "../../../tests/_optional.ts";

// Patterns from the manual of PCRE2, by section, also those that it calls invalid; <e9> is U+00E9.
const patterns = String.raw`
a.b \Qa.b\E \Q[b]\E\s a\Eb \cA \cz \e \f \n \r \t \a \0 \012 \12 \x41 \x{41} \x \xg \o{101}
\N{U+e9} \<e9> \. \- \/ \_ \" \y \i \j \m \q \T \Y \M \I \O \E \d+ \s+ \w+ \h+ \H+ \v+ \V+ \N+ \R
\R+ \b\w \w\b \Bo \Aab \zab b\z b\Z \Ga \Gb \p{L}+ \p{^L}+ \P{L}+ \pL+ \PL \p{Lu} \p{Ll}+
\p{L&}+ \p{Greek} \p{Han} \p{Hiragana}+ \p{Latin}+ \p{Common}+ \p{Script=Latin}+ \p{sc:Latin}+
\p{scx:Hiragana}+ \p{Any}+ \p{Xan}+ \p{Xwd}+ \p{Xps}+ \p{Xsp}+ \p{Xuc}+ \p{Nd}+ \p{N}+ \p{Zs}
\p{Z}+ \p{Po} \p{alphabetic}+ \p{White_Space}+ \p{ASCII}+ \p{Alpha}+ \p{lowercase}+ \p{upper}+
\p{lu} \p{L_} \p{latin}+ \p{Bidi_Class:L}+ \p{bidil}+ \p{bc=L}+ \p{General_Category=Lu}
\p{gc=Lu} \p{Emoji}+ \p{foo} \p{Assigned}+ \p{L \p \P{ \pX \p{Cn} \p{Cs} \p{C} \p{LC}+ \p{Lt}
[\p{L}\d]+ [^\p{L}]+ [\P{L}]+ \X a\X [abc]+ [^abc]+ [a-c]+ []a]+ [^]a]+ [a\]b]+ [a-]+ [-a]+
[a\-c]+ [\d-z] [a-\d] [[:alpha:]]+ [[:^alpha:]]+ [[:upper:]] [[:lower:]]+ [[:digit:]]+
[[:alnum:]]+ [[:punct:]]+ [[:space:]]+ [[:blank:]]+ [[:cntrl:]]+ [[:graph:]]+ [[:print:]]+
[[:xdigit:]]+ [[:word:]]+ [[:ascii:]]+ [[:foo:]] [[.a.]] [[=a=]] [[:<:]]ab ab[[:>:]] [[:<:]]b
[\b] [\h]+ [\H]+ [\v]+ [\s]+ [\R] [\X] [\N] [\B] [\Qa-c\E]+ [a-\Qc\E]+ [\x61-\x63]+ [\E]a] [a
[] [^] a|b| (a|ab)(c|b)? (|a)b (?:a|ab)b (?i)ab (?i:A)b a(?i)b (?i)a(?-i)b (?-i)ab (a(?i)b)c
(?i)[^a]+ (?i)<e9>+ (?s).+ (?m)^a (?n)(a)b (?J)(?<n>a)(?<n>b) (?U)a+ (?U)a+?b (?^)ab (?^i:AB)
(?i-s:AB). (?si)A. (?|(a)|(b))c? (?<n>a)b (?P<n>a)b (?'n'a)b (?<n1>a)(?<n2>b) (?<n>a)(?<n>b)
(?<<e9>>a) (?<toolongname12345678901234567890123456>a) a* a+ a? a{2} a{2,} a{1,2} a{,2} a{0}
a{0,0}b a{} a{,} a{x} {1} a{65536} a{2,1} a*?b a+? a??b a{1,2}? a{2}? a*+ a++b a?+b a{1,2}+b
a{2}+b a** a+* a{1}{2} (?>a+)b (*atomic:a+)b \w+b (a)\1 (a)\g1 (a)\g{1} (a)\g{-1} (?<n>a)\k<n>
(?<n>a)\k{n} (?<n>a)\k'n' (?<n>a)(?P=n) (?<n>a)\g{n} \1(a) \2(a) \10 \81 \8 (a)\11 (?=a)ab
a(?=b) (?!b)a a(?!b) (?<=a)b (?<!a)b (?<=a|bc)d? (?<=\bfoo)_ (?<=a+)b (?<=ab|c)b (?<=a{2})b
(?<=\d\d)\d (?<=^a)b (?<=a)(?<=ab)c? (?<=x=)\d(?=;) (?=.*b)a foo(?=.*bar) (*pla:a)a (*plb:a)b
(*nla:b)a (*positive_lookahead:a)a (*negative_lookbehind:a)b (*napla:a)a (?*a)a (?<*a)b
foo\Kbar foo_\Kbar a\Kb \Kb (a\Kb) a\K a\K(?=b) (?(1)a|b) (a)?(?(1)b|c) (?(?=a)ab|b)
(?(DEFINE)(?<x>a))b (?(R)a|b) (?(VERSION>=10)a|b) (?R)? (?0) (a)(?1) (a|(?1)b) (?<n>a)(?&n)
(?<n>a)(?P>n) (?<n>a)\g<n> (a)\g<1> (a)\g'1' (*ACCEPT) a(*FAIL) a(*F)|b (*COMMIT)a (*PRUNE)a
(*SKIP)a (*THEN)a (*MARK:x)a (*:x)a (*UTF)a (*UCP)\w+ (*CRLF)a (*ANYCRLF).+ (*BSR_ANYCRLF)\R
(*NO_JIT)a (*LIMIT_MATCH=10)a (*NOTEMPTY)a* (*NO_START_OPT)a (*foo)a (?C)a (?C1)a (?C"x")a
(?#comment)a a(?#c)b a(?#c (a a) (?a) (?z)a (?<a *a +a ?a a|*b (*) (?:*a) ^* $* ^a a$ ^$ ^ $
a^b a$b \$ \^ .$ (^a|b$) (?:^|,)a x=(\d); "[^"]*" \b(\d+)-(\d+)\b (a)(b)(c)? ((a)|b)+ (a|b)*?c
(?:a|b)+?\w <e9> [<e9>-<fc>]+ [^<e9>]+ \xe9 \x{e9} [\xe9] (?i)<c9> \w+(?=\s) (?<=\s)\w+ (?<![a-z])\w+
\w+(?!\w) [0-9]{4} [a-z]+(?:_[a-z]+)* ^(?:\w+\s)+ (?:(?:a)b) (((((a))))) () (?:) (?:)+ (a*)*
(a*)+b (a?)*?b (?:a?){3}b \s{2,} a{3}|b{2} [\w.-]+ [\w-z] [a-z-9]+ [z-a] [\]\[] [[] [[a]+
[a[]+ \b<e9> <e9>\b \Bt \p{Old_Italic} \p{Grek} \p{Inherited} \p{Unknown} \p{<e9>} \p{^^L} \p<e9> \p{}
\p{XID_Start} \p{IDS} \p{space} \p{alpha} \p{Lower} \p{LL} \p{any} \p{Hex}+ \p{Letter}
\p{digit} \p{IsGreek} \p{Unified_Ideograph} \p{math}+ \p{sc=foo} (?C256) (?Cx) (?C (?C1 (?n-
(?i-i)a (?^m) (?^-i) (?x-x) (*F) (*FAIL) (*FAIL:x) (*foo:a) (*pla) (*FOO) (*UCP a(*NO_JIT)
(*LIMIT_MATCH=x) (?!)a (?<!)a|b (?i)(?-i (?i^) (?+ (?+x) (?P& (?P (?Px (?' (?< (?P< (* (*a (*a) (*1 (*<e9>
(*_ (*: (*+ (?n)(?<x>a)(b) (?J)(?<n>a)|(?<n>b) (?U)a+|b+? (?U)a{1,2} (?C)a+ a(?C)+ (?s)a.b
(?m)^a$ a(?i \Q \Qa (?# a)(b \ [\ a\c (?x)a#
`.trim().replace(/<([0-9a-f]{2})>/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))).split(
  /\s+/,
);
patterns.push(
  "\\ ",
  "\\p{script extensions=Hiragana}+",
  "\\p{ Lu }",
  "(?x)a b # c",
  "(?x) a\\ b",
  "(?xx)[a b]+",
  "(?xx) a [ b]",
  "a{ 1}",
  "a{1, 2}",
  "\\p{L }",
  "(?xx) [ a b ] +",
  "(?xx)[^ a]",
  "(?x) [ a]",
);

const texts = [
  "ab",
  "aab foo_bar",
  "foo  bar\tbaz",
  "\u00e9t\u00e9 \u00c9",
  "1234-56",
  "x=1;y=2",
  "\u3042\u3044 z",
  "",
  "AbC aBc",
  "a\rb\u0085c",
  "\u00a0x\u2028y",
  '"q" (p) [b] {c}',
];

const lines = texts.map((text) => new TextEncoder().encode(text));

/**
 * The output of `grep -oP` for all lines, errors included; `undefined` if we refuse the pattern.
 */
function answer(pattern: string, options: PerlOptions): string | undefined {
  let regex: Regex;
  try {
    regex = compilePerl(pattern, options);
  } catch (error) {
    if (error instanceof UnsupportedPattern) return undefined;
    if (error instanceof RegexError) return `grep: ${error.message}\n`;
    throw error;
  }
  return lines.map((line) => onlyMatching(regex, line)).join("");
}

Deno.test(
  optional("compilePerl takes each construct as grep -P does, or says that it does not", thorough),
  () => {
    const cases = patterns.flatMap((pattern) =>
      [{}, { ignoreCase: true, whole: "word" as const }].map((options: PerlOptions) => ({
        pattern,
        options,
        lines,
      }))
    );
    const answers = grepOutputs(cases);
    if (answers === undefined) return;
    const wrong: string[] = [];
    let refused = 0;
    cases.forEach(({ pattern, options }, i) => {
      const ours = answer(pattern, options);
      if (ours === undefined) refused++;
      else if (ours !== answers[i]) {
        wrong.push(`${pattern} ${JSON.stringify(options)}: ${ours} / GNU: ${answers[i]}`);
      }
    });
    assert.deepEqual(wrong, []);
    // About a fifth need backtracking.
    assert.ok(refused < cases.length / 4, `${refused} of ${cases.length} refused`);
  },
);
