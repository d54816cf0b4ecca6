/**
 * A line editor as a model: bytes of a terminal become keys, keys change a state, a state and a
 * width become rows. It does no input or output.
 */
export { KeyReader } from "./keys.ts";
export type { Key, KeyCommand } from "./keys.ts";
export {
  editedText,
  type EditorEvent,
  type EditorState,
  isEmpty,
  newEditor,
  press,
  type Pressed,
  submitted,
  withText,
} from "./editor.ts";
export { type Drawn, drawn, textColumns } from "./drawn.ts";
