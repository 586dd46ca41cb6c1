/*
 * The host of Node's policy packs, which a release has, and the module that the built engine's host comes from has not: the
 * engine asks it to run the pack, and reads its output.
 */
"use strict";
const { spawn } = require("node:child_process");
const { Server, ServerCredentials } = require("@grpc/grpc-js");
const { LanguageRuntimeService } = require("@pulumi/pulumi/proto/language_grpc_pb");
const { PluginInfo } = require("@pulumi/pulumi/proto/plugin_pb");
const { RunPluginResponse } = require("@pulumi/pulumi/proto/language_pb");

const runner = require.resolve("@pulumi/pulumi/cmd/run-policy-pack");
const server = new Server();
server.addService(LanguageRuntimeService, {
  getPluginInfo: (_, answer) => answer(null, new PluginInfo()),
  runPlugin(call) {
    const [engine, pack] = [call.request.getArgsList()[0], call.request.getInfo().getProgramDirectory()];
    const env = Object.fromEntries(call.request.getEnvList().map((each) => each.split(/=(.*)/s).slice(0, 2)));
    const child = spawn(process.execPath, [runner, engine, "."], { cwd: pack, env });
    const send = (set) => call.write(set(new RunPluginResponse()));
    child.stdout.on("data", (bytes) => send((response) => response.setStdout(bytes) ?? response));
    child.stderr.on("data", (bytes) => send((response) => response.setStderr(bytes) ?? response));
    child.on("close", (code) => {
      send((response) => response.setExitcode(code ?? 1) ?? response);
      call.end();
    });
    call.on("cancelled", () => child.kill());
  },
});
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(port);
});
