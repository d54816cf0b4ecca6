/**
 * The mock LLM over HTTP: an app that can be mounted in any server. The mock itself decides what is
 * answered; the app reads the requests and plays the answers, with their pauses and cuts.
 *
 * @module
 */
export { type MockApp, mockApp, type MockAppOptions } from "./mock_app.ts";
