/** A model as OpenAI's APIs describe it. */
export function openaiModel(id: string): object {
  return { id, object: "model", created: 0, owned_by: "mock" };
}

/** The models as OpenAI's APIs list them. */
export function openaiModels(names: readonly string[]): object {
  return { object: "list", data: names.map(openaiModel) };
}
