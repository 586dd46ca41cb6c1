import type { Conversation } from "../conversation";

/** A story about one noun, told in calls. */
export interface Scenario {
  readonly name: string;
  run(talk: Conversation): Promise<void>;
}
