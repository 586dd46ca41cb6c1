/** Who follows the way out of a message: by a message of its line in docs/errors.md, the file and the full name of the test. */
export const FOLLOWED: Readonly<Record<string, readonly [file: string, test: string]>> = {
  "is not the service's answer to …": [
    "tests/engine/refusals.test.ts",
    "what can be done what a gateway answers 200 for is not deleted: it stays in the state, and the next run deletes it",
  ],
  "this service does not rename cost centers": [
    "tests/engine/waysOut.test.ts",
    "a cost center that can't be renamed: take the value back, or replace it by its URN, and its resources move",
  ],
  "has the generated name of this resource": [
    "tests/engine/stateLost.test.ts",
    "is adopted with the commands of the page, but for declared names that are not unique",
  ],
  "not every state of this project could be read": [
    "tests/engine/otherStacks.test.ts",
    "where another stack's state can't be read, an error names the adoptId, which adopts",
  ],
  "is adopted, and the stack … has it, too": [
    "tests/engine/otherStacks.test.ts",
    "an adoptId of what another stack has warns, and once that has forgotten it, this stack alone has it",
  ],
  "was not found, nor was any other resource of this stack": [
    "tests/engine/otherAccount.test.ts",
    "a destroy of what was deleted elsewhere, with a key that may not tell whose it is, takes the word of the message",
  ],
  "is not adopted: this run can't leave a note for its other providers": [
    "tests/engine/takingOver.test.ts",
    "an adoption that nobody can be told of: a PULUMI_HOME that can be written to",
  ],
  "can't be brought to these arguments in place": [
    "tests/engine/waysOut.test.ts",
    "a volume that an adoption can't change: declare the value as it is",
  ],
  "it can't shrink": [
    "tests/engine/waysOut.test.ts",
    "a volume that can't shrink: keep the size, or declare a new one",
  ],
  "A killed run left resources that this program does not declare": [
    "tests/engine/killed.test.ts",
    "what a killed run has left is removed by a command, where it is certain, also when the stack is gone",
  ],
  "the option import works with a provider only": [
    "tests/engine/nativeImport.test.ts",
    "the option `import` takes over what is declared as it is, and later changes are made",
  ],
  "exists already. Set adoptId": [
    "tests/engine/takingOver.test.ts",
    "a name that was taken during the run: the adoptId that the error names",
  ],
  "Delete what uses it, or keep it": [
    "tests/engine/waysOut.test.ts",
    "a volume that another stack's endpoint uses: keep it with retainOnDelete, or delete what uses it",
  ],
  "does not say whose it is": [
    "tests/engine/stateLost.test.ts",
    "is adopted with the commands of the page, but for declared names that are not unique",
  ],
  "have the name of this": [
    "tests/engine/takingOver.test.ts",
    "several of one name, where all that the state lacks is adopted: the adoptId of the right one",
  ],
  "it is not certain that … is what it made": [
    "tests/engine/killedUnclear.test.ts",
    "what a killed run has made, beside another of its name is adopted by its id",
  ],
  "adoptId names another …": [
    "tests/engine/waysOut.test.ts",
    "a volume whose adoptId names another: declare a second one for it, or forget the first",
  ],
  "was deleted outside this program": [
    "tests/engine/waysOut.test.ts",
    "an endpoint that was deleted elsewhere: pulumi refresh, then pulumi up",
  ],
  "is locked and can't be deleted": [
    "tests/engine/waysOut.test.ts",
    "a locked pod: locked: false, pulumi up, then delete it",
  ],
  "within createTimeout": [
    "tests/engine/waysOut.test.ts",
    "a pod that is not there in time: pulumi up keeps waiting, and pulumi destroy removes it",
  ],
  "of its workers have not stopped within": [
    "tests/engine/waysOut.test.ts",
    "an endpoint whose workers have not stopped: keep it with pulumi up --refresh, or wait and run the same command again",
  ],
  "is a member of cluster …": [
    "tests/engine/waysOut.test.ts",
    "a member of a cluster that is adopted as a pod: adopt the cluster instead",
  ],
  "other keys (…), and saving this list would remove them": [
    "tests/engine/sshKeys.test.ts",
    "the account's SSH keys are taken over with adoptId, after a preview that says what changes",
  ],
  "can't be read by its id": [
    "tests/engine/nativeImport.test.ts",
    "what has no id at the service, or none that exists, says so",
  ],
  "is protected, and so are its members": [
    "tests/engine/waysOut.test.ts",
    "a protected fleet's member: take the change back, release it, or protectMembers: false",
  ],
  "which has none of its resources": [
    "tests/engine/otherAccount.test.ts",
    "a resource's provider that gets another account's key under the same name is an error",
  ],
};
