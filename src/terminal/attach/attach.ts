/** Lets persons join terminal sessions of another process: both ends of the connection. */
export {
  attach,
  type AttachableSession,
  attachableSessions,
  type AttachEvent,
  type Attachment,
} from "./attach_client.ts";
export { AttachServer, type AttachServerOptions } from "./attach_server.ts";
