/**
 * Raised with every change of behaviour. The code keeps what an earlier version did, by `state.rules`, so that old
 * records replay to the same byte. Version 2 adds fields that no earlier record has: the state a symbol begins with,
 * fees taken out of what is withdrawn, notes; a build that does not know them must not read past them. Version 3 brings
 * T3: how many trades a record makes is bounded. Version 4 keeps what T2 says: stop orders that were left over come after
 * everything that is due. Version 5 lets each order of a batch meet one other, whatever was met before it. Version 6:
 * withdrawals are claimed before they are paid, a freeze covers sub-accounts, memory bounds are shared fairly, deposit
 * fees are charged, and messages about single orders are counted.
 */
export const RULES_VERSION = 6;
