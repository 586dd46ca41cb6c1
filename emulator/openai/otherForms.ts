/* The same model in OpenAI's newer form, /v1/responses, and in Anthropic's, /v1/messages. */
import { z } from "zod";
import { CREATED, idOf, type ModelAnswer, messageText, most, stream, turnOf, wordsOf } from "./turn";

/** Reads a request by its schema, or refuses it. */
type Read = <S extends z.ZodType<{ model: string }>>(schema: S) => z.output<S>;

const named = z.object({ name: z.string() });

const responsesRequest = z.object({
  model: z.string(),
  input: z.union([z.string(), z.array(z.object({ role: z.string().optional(), content: messageText })).min(1)]),
  instructions: z.string().nullish(),
  max_output_tokens: most,
  stream,
  tools: z.array(named.extend({ type: z.literal("function"), parameters: z.unknown() })).nullish(),
  tool_choice: z.union([z.enum(["none", "auto", "required"]), named]).nullish(),
  text: z
    .object({
      format: z.discriminatedUnion("type", [
        z.object({ type: z.literal("text") }),
        z.object({ type: z.literal("json_schema"), schema: z.unknown() }),
      ]),
    })
    .nullish(),
});

export function responseAnswer(read: Read): ModelAnswer {
  const { model, input, max_output_tokens, stream, tools, tool_choice: choice, text } = read(responsesRequest);
  const said = typeof input === "string" ? input : (input.at(-1)?.content ?? "");
  const format = text?.format;
  const turn = turnOf({
    said,
    most: max_output_tokens,
    tools: tools ?? [],
    ...(format?.type === "json_schema" && { schema: format.schema }),
    call: choice === "required" ? true : typeof choice === "object" ? choice?.name : undefined,
  });
  const id = idOf("resp", said);
  const status = turn.finish === "length" ? "incomplete" : "completed";
  const item = turn.call
    ? { id: idOf("fc", said), type: "function_call", call_id: idOf("call", said), status: "completed", ...turn.call }
    : {
        id: idOf("msg", said),
        type: "message",
        role: "assistant",
        status,
        content: [{ type: "output_text", text: turn.tokens.join(""), annotations: [] }],
      };
  const [input_tokens, output_tokens] = [wordsOf(said).length, turn.tokens.length];
  const body = {
    id,
    object: "response",
    created_at: CREATED,
    model,
    status,
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    error: null,
    output: [item],
    parallel_tool_calls: true,
    tool_choice: choice ?? "auto",
    tools: tools ?? [],
    usage: { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens },
  };
  if (stream !== true) return { status: 200, body };
  const at = { item_id: item.id, output_index: 0, content_index: 0 };
  const whole = turn.tokens.join("");
  const events = [
    { type: "response.created", response: { ...body, status: "in_progress", output: [] } },
    { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress" } },
    ...(turn.call
      ? [{ type: "response.function_call_arguments.done", ...at, arguments: turn.call.arguments }]
      : [
          ...turn.tokens.map((delta) => ({ type: "response.output_text.delta", ...at, delta })),
          { type: "response.output_text.done", ...at, text: whole },
        ]),
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: body },
  ];
  return { status: 200, events: events.map((event, sequence_number) => ({ ...event, sequence_number })) };
}

const messagesRequest = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.enum(["user", "assistant"]), content: messageText })).min(1),
  max_tokens: z.int().min(1),
  stop_sequences: z.array(z.string()).nullish(),
  stream,
  tools: z.array(named.extend({ input_schema: z.unknown() })).nullish(),
  tool_choice: z
    .discriminatedUnion("type", [
      z.object({ type: z.enum(["auto", "none", "any"]) }),
      named.extend({ type: z.literal("tool") }),
    ])
    .nullish(),
});

export function messageAnswer(read: Read): ModelAnswer {
  const { model, messages, max_tokens, stop_sequences, stream, tools, tool_choice: choice } = read(messagesRequest);
  const said = messages.at(-1)?.content ?? "";
  const turn = turnOf({
    said,
    most: max_tokens,
    stop: stop_sequences,
    tools: (tools ?? []).map(({ name, input_schema }) => ({ name, parameters: input_schema })),
    call: choice?.type === "any" ? true : choice?.type === "tool" ? choice.name : undefined,
  });
  const call = turn.call && { type: "tool_use", id: idOf("toolu", said), name: turn.call.name };
  const content = call
    ? { ...call, input: JSON.parse(turn.call?.arguments ?? "{}") }
    : { type: "text", text: turn.tokens.join("") };
  const ended = turn.stop === null ? "end_turn" : "stop_sequence";
  const stop_reason = { tool: "tool_use", length: "max_tokens", stop: ended }[turn.finish];
  const ending = { stop_reason, stop_sequence: turn.stop };
  const input_tokens = wordsOf(messages.map((message) => message.content).join(" ")).length;
  const usage = { input_tokens, output_tokens: turn.tokens.length };
  const body = { id: idOf("msg", said), type: "message", role: "assistant", model };
  if (stream !== true) return { status: 200, body: { ...body, content: [content], ...ending, usage } };
  const unended = { content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens, output_tokens: 0 } };
  const content_block = call ? { ...call, input: {} } : { type: "text", text: "" };
  return {
    status: 200,
    events: [
      { type: "message_start", message: { ...body, ...unended } },
      { type: "content_block_start", index: 0, content_block },
      ...(turn.call
        ? [{ type: "input_json_delta", partial_json: turn.call.arguments }]
        : turn.tokens.map((token) => ({ type: "text_delta", text: token }))
      ).map((delta) => ({ type: "content_block_delta", index: 0, delta })),
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: ending, usage: { output_tokens: turn.tokens.length } },
      { type: "message_stop" },
    ],
  };
}
