/**
 * The head of a program that speaks the FS proxy protocol without any permission: `ask(op, params)`
 * resolves to the unchanged answer, and `socket` is its descriptor 3.
 */
export const ASKING = `
import { Socket } from "node:net";
import { Buffer } from "node:buffer";
const socket = new Socket({ fd: 3 });
let bytes = Buffer.alloc(0), wake = () => {}, id = 0;
socket.on("data", (data) => { bytes = Buffer.concat([bytes, data]); wake(); });
async function ask(op, params) {
  const document = Buffer.from(JSON.stringify({ id: String(++id), op, params }));
  const header = Buffer.alloc(4);
  header.writeUInt32BE(document.length);
  socket.write(Buffer.concat([header, document]));
  while (bytes.length < 4 || bytes.length < 4 + bytes.readUInt32BE()) {
    await new Promise((resolve) => wake = resolve);
  }
  const end = 4 + bytes.readUInt32BE();
  const answer = JSON.parse(bytes.subarray(4, end).toString());
  bytes = bytes.subarray(end);
  return answer;
}
`;
