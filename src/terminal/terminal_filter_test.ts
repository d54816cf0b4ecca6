import assert from "node:assert/strict";
import { terminalFilter } from "./_terminal_filter.ts";

const X86_64 = 0xc000003e;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const TIOCGWINSZ = 0x5413;

/** The filter's verdict on a system call, evaluated as the kernel does. */
function verdict(architecture: number, number: number, request: number): "allow" | "deny" {
  const program = new DataView(terminalFilter().buffer);
  const data = new Map([[0, number], [4, architecture], [24, request]]);
  let loaded = 0;
  for (let at = 0;; at++) {
    const code = program.getUint16(at * 8, true);
    const value = program.getUint32(at * 8 + 4, true);
    if (code === 0x20) loaded = data.get(value) ?? assert.fail();
    else if (code === 0x06) return value === 0x7fff0000 ? "allow" : "deny";
    else {
      const holds = code === 0x15 ? loaded === value : (loaded & value) !== 0;
      at += program.getUint8(at * 8 + (holds ? 2 : 3));
    }
  }
}

Deno.test("terminalFilter denies the two requests that type for the user, on each machine", () => {
  const ioctl = new Map([
    [X86_64, 16],
    [0xc00000b7, 29],
    [0xc00000f3, 29],
    [0x40000003, 54],
    [0x40000028, 54],
    [0xc0000015, 54],
  ]);
  for (const [architecture, number] of ioctl) {
    assert.equal(verdict(architecture, number, TIOCSTI), "deny");
    assert.equal(verdict(architecture, number, TIOCLINUX), "deny");
    assert.equal(verdict(architecture, number, TIOCGWINSZ), "allow");
    assert.equal(verdict(architecture, number + 1, TIOCSTI), "allow");
  }
});

Deno.test("terminalFilter denies the ABI x32, where ioctl has another number", () => {
  assert.equal(verdict(X86_64, 0x40000000 + 514, TIOCSTI), "deny");
});
