import assert from "node:assert/strict";
import { Place, Terminal } from "./_agent.ts";
import { optional } from "./_optional.ts";

/** The last result of a call that the model read. */
function lastResult({ requests }: Place): string {
  return requests.at(-1)?.messages.findLast(({ role }) => role === "tool")?.content ?? "";
}

Deno.test("llmcmd agent -p refuses what would be asked for, unless --yes allows it", async () => {
  await using place = new Place();
  const path = `${place.folder}/.ssh/key`;
  const refused = await place.run("", "-p", "keep my key");
  const call = '[Tool: write_file(".ssh/key", ...)]\n';
  assert.deepEqual([refused.code, refused.stderr.startsWith(call)], [0, true]);
  assert.match(
    refused.stderr.slice(call.length),
    /^llmcmd agent: warning: the agent was not allowed to write \S+: nobody .* with --yes\n$/,
  );
  assert.match(
    lastResult(place),
    /is hidden from these tools; nobody can be asked here, but .* with --yes$/,
  );
  await assert.rejects(Deno.stat(path), Deno.errors.NotFound);
  const allowed = await place.run("", "-p", "keep my key", "--yes");
  assert.match(allowed.stderr, /llmcmd agent: warning: --yes allows to write .*\.ssh\/key: /);
  assert.equal(lastResult(place), "OK");
  assert.equal(await Deno.readTextFile(path), "k");
  assert.match(place.requests[0]?.messages[0]?.content ?? "", /; a path beyond is refused\n/);
});

Deno.test("llmcmd agent says why it can't start with these limits", async () => {
  await using place = new Place();
  const network = await place.run("", "-p", "again", "--no-network");
  assert.equal(network.code, 2);
  assert.match(network.stderr, /Commands can't be kept from the network: no sandbox was asked for/);
  const folder = await place.run("", "-p", "again", "--allow-dir=nowhere");
  assert.equal(folder.code, 2);
  assert.match(folder.stderr, /There is no folder \S+\/nowhere, which --allow-dir names/);
});

Deno.test({
  ...optional("llmcmd agent asks on the terminal, and waits", "tmux"),
  async fn() {
    await using place = new Place();
    await using terminal = await Terminal.open(place, undefined, "--ask=commands");
    await terminal.keys("keep my key", "Enter");
    const screen = await terminal.until(/\[n\] no/);
    assert.match(screen, /The agent wants to change \S+\/\.ssh\/key\n/);
    await terminal.keys("y", "Enter");
    await terminal.until(/Agent: That is it\./);
    assert.equal(await Deno.readTextFile(`${place.folder}/.ssh/key`), "k");
    await terminal.keys("leave something", "Enter");
    await terminal.until(/The agent wants to run:\n {2}sleep 87654 [^]*\[n\] no/);
    await terminal.keys("n", "Enter");
    await terminal.until(/Agent: It runs\./);
    assert.match(lastResult(place), /^bash: The command was not run: the user said no/);
    // Ctrl+C stops the turn that waits.
    await terminal.keys("keep my key", "Enter");
    await terminal.until(/said no|\[n\] no[^]*\[n\] no[^]*\[n\] no/);
    await terminal.keys("C-c");
    await terminal.until(/\[Stopped\]/);
  },
});
