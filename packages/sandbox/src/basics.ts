/** A sandbox's public data, data directory and call fields, for the command line and a venue, without loading the sandbox itself. */

export { hasSandboxUsers, SANDBOX_SECRET_KEY, seedCommands, seedState, SEEN_BEFORE } from './seed.ts';
export { KEYS, SANDBOX_OPERATOR_TOKEN } from './users.ts';
export {
  type CallField,
  type CallFields,
  fieldHelp,
  loadCallFields,
  SANDBOX_MOUNT,
  fieldsOf,
  WrongField,
} from './control/call-fields.ts';
export { presentDirectory } from './worlds/world-directory.ts';
