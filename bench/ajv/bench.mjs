// Goes over the corpus with JSON.parse, alone or followed by ajv with the schema of each message's
// method, and prints its CPU seconds as JSON.
// Usage: node bench.mjs parse|ajv CORPUS SCHEMA METHODS REVISION
import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const [what, corpusFile, schemaFile, methodsFile, revision] = process.argv.slice(2);
const lines = splitLines(readFileSync(corpusFile));
const run = what === "ajv" ? validator() : parser();

run(); // the first pass is for the just-in-time compiler
const before = process.cpuUsage();
const accepted = run();
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ seconds: (user + system) / 1e6, accepted }));

function splitLines(bytes) {
  const found = [];
  for (let start = 0, end; (end = bytes.indexOf(10, start)) >= 0; start = end + 1) {
    found.push(bytes.subarray(start, end));
  }
  return found;
}

function parsed(line) {
  try {
    return JSON.parse(line.toString());
  } catch {
    return undefined;
  }
}

function parser() {
  return () => lines.filter((line) => parsed(line) !== undefined).length;
}

function validator() {
  const { messages, results, error } = compiledSchemas();
  return () => {
    const pending = new Map();
    return lines.filter((line) => {
      const message = parsed(line);
      if (message === null || typeof message !== "object") return false;
      if ("method" in message) {
        if ("id" in message) pending.set(message.id, message.method);
        return messages.get(message.method)?.(message) ?? false;
      }
      const method = pending.get(message.id);
      pending.delete(message.id);
      if ("error" in message) return error(message);
      return results.get(method)?.(message) ?? true;
    }).length;
  };
}

function compiledSchemas() {
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  ajv.addSchema(JSON.parse(readFileSync(schemaFile)), "mcp");
  const { methods } = JSON.parse(readFileSync(methodsFile))[revision];
  const messages = new Map();
  const results = new Map();
  for (const [name, method] of Object.entries(methods)) {
    messages.set(name, ajv.compile(reference(method.definition)));
    if (method.result) results.set(name, ajv.compile(response(method.result)));
  }
  return { messages, results, error: ajv.compile(reference("JSONRPCErrorResponse")) };
}

function reference(definition) {
  return { $ref: `mcp#/$defs/${definition}` };
}

function response(definition) {
  return {
    allOf: [reference("JSONRPCResultResponse")],
    properties: { result: reference(definition) },
  };
}
