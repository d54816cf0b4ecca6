import { messageOf } from "../../base/mod.ts";
import { mergeScenarios, parseScenarioText, type ScenarioFile } from "../../mock/mod.ts";
import { listFolder, readTextFile } from "../../sys/mod.ts";
import { ConfigError } from "../settings/mod.ts";

/**
 * Reads scenarios: files in the given order, those of a folder in name order.
 *
 * @throws {ConfigError} A folder has no such file, or a file is not a valid scenario file.
 * @throws {FileError | PermissionError} A path is missing or can't be read.
 */
export async function readScenarios(paths: readonly string[]): Promise<ScenarioFile> {
  const files: string[] = [];
  for (const path of paths) {
    const inside = await listFolder(path, ".json");
    if (inside?.length === 0) throw new ConfigError(`${path}: no .json file is in this folder`);
    files.push(...inside ?? [path]);
  }
  const texts = await Promise.all(files.map((file) => readTextFile(file)));
  return mergeScenarios(texts.map((text, index) => parseChecked(text, files[index] ?? "")));
}

function parseChecked(text: string, file: string): ScenarioFile {
  try {
    return parseScenarioText(text, file);
  } catch (error) {
    throw new ConfigError(messageOf(error), { cause: error });
  }
}
