/** Who follows the way out of a message: by file and by a message of its line in docs/errors.md, the full name of the test. */
export const FOLLOWED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "tests/engine/refusals.test.ts": {
    "is in this stack, and the service allows its name once":
      "--replace of what has a name that the service knows once is refused in the preview, with an option that allows it",
    "is not the service's answer to …":
      "what can be done what a gateway answers 200 for is not deleted: it stays in the state, and the next run deletes it",
  },
  "tests/engine/waysOut.test.ts": {
    "this service does not rename cost centers":
      "a cost center that can't be renamed: take the value back, or replace it by its URN, and its resources move",
    "can't be brought to these arguments in place":
      "a volume that an adoption can't change: declare the value as it is",
    "it can't shrink": "a volume that can't shrink: keep the size, or declare a new one",
    "Delete what uses it, or keep it":
      "a volume that another stack's endpoint uses: keep it with retainOnDelete, or delete what uses it",
    "adoptId names another …": "a volume whose adoptId names another: declare a second one for it, or forget the first",
    "was deleted outside this program": "an endpoint that was deleted elsewhere: pulumi refresh, then pulumi up",
    "is locked and can't be deleted": "a locked pod: locked: false, pulumi up, then delete it",
    "within createTimeout": "a pod that is not there in time: pulumi up keeps waiting, and pulumi destroy removes it",
    "of its workers have not stopped within":
      "an endpoint whose workers have not stopped: keep it with pulumi up --refresh, or wait and run the same command again",
    "is a member of cluster …": "a member of a cluster that is adopted as a pod: adopt the cluster instead",
    "is protected, and so are its members":
      "a protected fleet's member: take the change back, release it, or protectMembers: false",
  },
  "tests/engine/stateLost.test.ts": {
    "has the generated name of this resource":
      "is adopted with the commands of the page, but for declared names that are not unique",
    "and may not be this resource":
      "is adopted with the commands of the page, but for declared names that are not unique",
  },
  "tests/engine/otherStacks.test.ts": {
    "not every state of this project could be read":
      "where another stack's state can't be read, an error names the adoptId, which adopts",
    "is adopted, and the stack … has it, too":
      "an adoptId of what another stack has warns, and once that has forgotten it, this stack alone has it",
  },
  "tests/engine/otherAccount.test.ts": {
    "was not found, nor was any other resource of this stack":
      "a destroy of what was deleted elsewhere, with a key that may not tell whose it is, takes the word of the message",
    "which has none of its resources":
      "a resource's provider that gets another account's key under the same name is an error",
  },
  "tests/engine/takingOver.test.ts": {
    "this run can't leave a note for its other providers":
      "an adoption that nobody can be told of: a PULUMI_HOME that can be written to",
    "exists already. Set adoptId": "a name that was taken during the run: the adoptId that the error names",
    "have the name of this":
      "several of one name, where all that the state lacks is adopted: the adoptId of the right one",
  },
  "tests/engine/killed.test.ts": {
    "A killed run left resources that this run did not declare":
      "what a killed run has left is removed by a command, where it is certain, also when the stack is gone",
  },
  "tests/engine/nativeImport.test.ts": {
    "the option … works with a provider only":
      "the option `import` takes over what is declared as it is, and later changes are made",
    "can't be read by its id": "what has no id at the service, or none that exists, says so",
  },
  "tests/lifecycle/killed.test.ts": {
    "it is not certain that … is what it made":
      "a create that a kill cut off is not chosen among several of its name, nor when one of them is left: adoptId takes it, or another name leaves it",
  },
  "tests/engine/sshKeys.test.ts": {
    "other keys (…), and saving this list would remove them":
      "the account's SSH keys, kept by a native resource, are taken over with adoptId, after a preview that says what changes",
  },
};
