import assert from "node:assert/strict";
import { isCallAsText, isExitAsText } from "./call_as_text.ts";

const ARGS = '{"cmd": "sort", "in_fd": 3, "out_fd": 1}';

Deno.test("isCallAsText knows calls of the tools in the notations of models and of the prompt", () => {
  for (
    const text of [
      `<tool_call>\n{"name": "pipe", "arguments": ${ARGS}}\n</tool_call>`,
      `I sort it.\n<tool_call>{"name":"pipe","arguments":${ARGS}}</tool_call>`,
      `<|tool_call|>{"name": "exit", "arguments": {}}`,
      `<|python_tag|>{"name": "pipe", "parameters": ${ARGS}}`,
      `<function=pipe>${ARGS}</function>`,
      '<invoke name="write"><parameter name="data">x</parameter></invoke>',
      `[TOOL_CALLS] [{"name": "pipe", "arguments": ${ARGS}}]`,
      `[TOOL_CALLS]pipe${ARGS}`,
      `<\uff5ctool\u2581calls\u2581begin\uff5c><\uff5ctool\u2581call\u2581begin\uff5c>function<\uff5ctool\u2581sep\uff5c>pipe\n${ARGS}`,
      `{"name": "pipe", "arguments": ${ARGS}}`,
      `\`\`\`json\n{"name": "pipe", "parameters": ${ARGS}}\n\`\`\``,
      `[{"type": "function", "function": {"name": "exit", "arguments": "{}"}}]`,
      `{"tool": "functions.pipe", "input": ${ARGS}}`,
      'pipe(cmd: "sort", in_fd: 3, out_fd: 1)\nexit(code: 0)',
      '1. `pipe(cmd="sort", in_fd=3)`',
      "exit(0)",
      `<tool_call>pipe\n<arg_key>cmd</arg_key>\n<arg_value>sort</arg_value>\n</tool_call>`,
      `<|tool_calls_section_begin|><|tool_call_begin|>functions.pipe:0<|tool_call_argument_begin|>${ARGS}`,
      `<|tool_call|>[{"name": "pipe", "arguments": ${ARGS}}]`,
      `<\uff5cDSML\uff5cfunction_calls>\n<\uff5cDSML\uff5cinvoke name="pipe">`,
      `<seed:tool_call><function name="pipe"><parameter name="cmd">sort</parameter>`,
      `<|channel|>commentary to=functions.pipe <|constrain|>json<|message|>${ARGS}`,
      `[pipe(cmd="sort", in_fd=3, out_fd=1)]`,
      '```tool_code\nprint(pipe(cmd="sort", in_fd=3))\n```',
      `{"tool_calls": [{"name": "pipe", "arguments": ${ARGS}}]}`,
      `{"function": "pipe", "arguments": ${ARGS}}`,
      `{"tool_name": "pipe", "tool_input": ${ARGS}}`,
      `{"action": "pipe", "action_input": ${ARGS}}`,
      `{"type": "function", "name": "pipe", "parameters": ${ARGS}}; {"name": "exit", "parameters": {}}`,
      `{"name": "pipe", "arguments": ${ARGS}}\n{"name": "exit", "arguments": {}}`,
      `I sort it:\n\n\`\`\`json\n{"name": "pipe", "arguments": ${ARGS}}\n\`\`\``,
      '[pipe(cmd="sort", in_fd=3, out_fd=1), exit(code=0)]',
      '1. `pipe(cmd: "sort", in_fd: 3)`\n2. `exit(code: 0)`',
      'I sort the file now.\n\npipe(cmd: "sort", in_fd: 3, out_fd: 1)',
      `I call pipe ${ARGS} for that.`,
      `Sure: {"name": "pipe", "arguments": ${ARGS}} and then we are done.`,
      `This call sorts it:\n\`\`\`json\n{"name": "pipe", "arguments": ${ARGS}}\n\`\`\``,
      `{"name": "pipe", "arguments": ${ARGS}}\n{"name": "exit", "parameters": {}}`,
      `{"function": "pipe", "arguments": ${ARGS}}`,
      `{"tool_calls": [{"name": "pipe", "arguments": ${ARGS}}]}`,
      `<tool_call>{"arguments": ${ARGS}, "name": "pipe"}</tool_call>`,
      "<tool_call>pipe\n<arg_key>cmd</arg_key>\n<arg_value>sort</arg_value>\n</tool_call>",
      `<|channel|>commentary to=functions.pipe <|constrain|>json<|message|>${ARGS}`,
      `<|tool_call_begin|>functions.pipe:0<|tool_call_argument_begin|>${ARGS}`,
      '```tool_code\nprint(default_api.pipe(cmd="sort", in_fd=3))\n```',
      `Action: pipe\nAction Input: ${ARGS}`,
    ]
  ) assert.equal(isCallAsText(text), true, text);
});

Deno.test("isCallAsText leaves everything else to be output", () => {
  for (
    const text of [
      "",
      "  \n",
      "3\n",
      '{"name": "pipe", "price": 3}',
      '{"name": "Ada", "arguments": {}}',
      '[{"time":"09:14","message":"exit"}]',
      "[]",
      "The program calls exit(1) at its end.",
      "#include <stdlib.h>\nint main(void) {\n  exit(0);\n}",
      "<tool_call> is a mark that Hermes models write.",
      "read(2)\nReads from a file descriptor.",
      "```c\nexit(0);\nreturn;\n```",
      "In C you write:\n```c\nexit(0);\n```",
      '{"action": "write", "user": "ada"}\n{"action": "read", "user": "bob"}',
      '{"name": "pipe", "arguments": {}}\n{"name": "bowl", "arguments": {}}',
      '<function name="read"><returns>int</returns></function>',
      '```json\n{"name": "pipe", "price": 3}\n```',
      "{\n  exit(0);\n}",
      '{"action": "read", "input": "a.txt"}',
      "[1, 2]\n[3, 4]",
      '[{"name": "read", "parameters": {"fd": "int"}}, {"name": "seek", "parameters": {}}]',
      "r, w = os.pipe()\nos.write(w, data)",
      "file.write(data: Data())\nexit(code: 1) // fails",
      "GET /go?to=exit",
      "The pipe { cmd } is open.",
      'Claude writes `<invoke name="read">` around its calls.',
      "Line 3 of the log has `to=functions.read`.",
      'Hermes writes "<tool_call>{"name": "read", "arguments": {}}</tool_call>".',
      '{"name": "pipe", "input": "steel"}',
      `{"name": "read", "arguments": ${ARGS}, "line": 12}`,
      '{"name": "read", "parameters": {"type": "object", "properties": {}}}',
    ]
  ) assert.equal(isCallAsText(text), false, text);
});

Deno.test("isExitAsText knows an exit with code 0 and nothing else", () => {
  for (
    const text of [
      "exit(code: 0)",
      "`exit()`",
      '{"name": "exit", "parameters": {"code": 0}}',
      '<tool_call>\n{"name": "exit", "arguments": {}}\n</tool_call>',
    ]
  ) assert.equal(isExitAsText(text), true, text);
  for (
    const text of [
      "exit(1)",
      'pipe(cmd: "sort", in_fd: 3, out_fd: 1)\nexit(code: 0)',
      '{"name": "exit", "parameters": {"code": 2}}',
      "The run ends with exit.",
      "",
    ]
  ) assert.equal(isExitAsText(text), false, text);
});
