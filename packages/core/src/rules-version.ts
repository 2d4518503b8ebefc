/**
 * The version of the rules, incremented with every change of what a logged command does, even for a new optional field: an
 * older build must not skip a field it does not know. From the first release on, the code keeps the behaviour of earlier
 * versions, selected by `state.rules`, so that old records replay byte for byte.
 */
export const RULES_VERSION = 1;
