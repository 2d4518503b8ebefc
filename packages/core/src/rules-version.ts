/**
 * The version of the rules, raised with every change of what a logged command does. From the first release on, the code
 * keeps what an earlier version did, by `state.rules`, so that old records replay to the same byte. It counts up even
 * for a field that earlier records do not have: a build that does not know it must not read past it.
 */
export const RULES_VERSION = 1;
