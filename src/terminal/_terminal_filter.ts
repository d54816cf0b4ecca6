/**
 * A filter of system calls for sandboxed commands at the user's terminal. They must not put
 * characters into its input (`ioctl` with TIOCSTI, or TIOCLINUX on a console), because the next
 * reader outside the sandbox would take them for the user's (CVE-2017-5226). A session of its own
 * would prevent that, too, but take the terminal away.
 *
 * The bytes are a program for bubblewrap's `--seccomp`: seccomp(2), instructions of
 * `struct sock_filter`, little-endian as all machines named here. On other machines it allows
 * everything.
 */
export function terminalFilter(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(PROGRAM.length * 8);
  const view = new DataView(bytes.buffer);
  for (const [at, [code, ifTrue, ifFalse, value]] of PROGRAM.entries()) {
    view.setUint16(at * 8, code, true);
    view.setUint8(at * 8 + 2, ifTrue);
    view.setUint8(at * 8 + 3, ifFalse);
    view.setUint32(at * 8 + 4, value, true);
  }
  return bytes;
}

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_BITS = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
/** Offsets in `struct seccomp_data`. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const REQUEST = 24;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

/** The instructions; jumps count from the next one. */
const PROGRAM: readonly Instruction[] = [
  [LOAD, 0, 0, ARCHITECTURE],
  // x86-64, then ARM 64 and RISC-V 64, then x86, ARM and POWER.
  [IF_EQUAL, 5, 0, 0xc000003e],
  [IF_EQUAL, 7, 0, 0xc00000b7],
  [IF_EQUAL, 6, 0, 0xc00000f3],
  [IF_EQUAL, 7, 0, 0x40000003],
  [IF_EQUAL, 6, 0, 0x40000028],
  [IF_EQUAL, 5, 10, 0xc0000015],
  // `ioctl` has the number 16. All calls of the ABI x32 are denied, as no program uses it.
  [LOAD, 0, 0, NUMBER],
  [IF_BITS, 9, 0, 0x40000000],
  [IF_EQUAL, 4, 7, 16],
  [LOAD, 0, 0, NUMBER],
  [IF_EQUAL, 2, 5, 29],
  [LOAD, 0, 0, NUMBER],
  [IF_EQUAL, 0, 3, 54],
  [LOAD, 0, 0, REQUEST],
  [IF_EQUAL, 2, 0, TIOCSTI],
  [IF_EQUAL, 1, 0, TIOCLINUX],
  [RETURN, 0, 0, ALLOW],
  [RETURN, 0, 0, EPERM],
];
