/** The part of lowlight that the page uses, bundled into `src/web/chat/page/highlighter.js`. */
import bash from "npm:highlight.js@11.12.0/lib/languages/bash";
import c from "npm:highlight.js@11.12.0/lib/languages/c";
import cpp from "npm:highlight.js@11.12.0/lib/languages/cpp";
import csharp from "npm:highlight.js@11.12.0/lib/languages/csharp";
import css from "npm:highlight.js@11.12.0/lib/languages/css";
import dockerfile from "npm:highlight.js@11.12.0/lib/languages/dockerfile";
import go from "npm:highlight.js@11.12.0/lib/languages/go";
import ini from "npm:highlight.js@11.12.0/lib/languages/ini";
import java from "npm:highlight.js@11.12.0/lib/languages/java";
import javascript from "npm:highlight.js@11.12.0/lib/languages/javascript";
import json from "npm:highlight.js@11.12.0/lib/languages/json";
import kotlin from "npm:highlight.js@11.12.0/lib/languages/kotlin";
import lua from "npm:highlight.js@11.12.0/lib/languages/lua";
import makefile from "npm:highlight.js@11.12.0/lib/languages/makefile";
import php from "npm:highlight.js@11.12.0/lib/languages/php";
import python from "npm:highlight.js@11.12.0/lib/languages/python";
import ruby from "npm:highlight.js@11.12.0/lib/languages/ruby";
import rust from "npm:highlight.js@11.12.0/lib/languages/rust";
import sql from "npm:highlight.js@11.12.0/lib/languages/sql";
import swift from "npm:highlight.js@11.12.0/lib/languages/swift";
import typescript from "npm:highlight.js@11.12.0/lib/languages/typescript";
import xml from "npm:highlight.js@11.12.0/lib/languages/xml";
import yaml from "npm:highlight.js@11.12.0/lib/languages/yaml";
import { createLowlight } from "npm:lowlight@3.3.0";

/** Grammars of the languages that agents write most. */
export const lowlight = createLowlight({
  bash,
  c,
  cpp,
  csharp,
  css,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  makefile,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
});
