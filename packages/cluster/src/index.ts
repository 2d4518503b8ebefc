/** The public interface of a cluster node. */

export { NodePosition } from './log-position.ts';
export { NodeSequencer } from './node-sequencer.ts';
export { SharedLimits, SharedTraffic, type Traffic, type TrafficRow } from './shared-traffic.ts';
export { type ClusterKeys, deriveClusterKeys, Forgeries } from './authentication.ts';
export { LogClock } from './leadership/clocks.ts';
export { GONE_MS, type HeardNode, type NodeState, Presence } from './leadership/presence.ts';
export { AuthenticatedBus, type Bus, NatsBus, SUBJECTS } from './messages/bus.ts';
export { writeNodeMessage } from './messages/node-messages.ts';
export { KeyStream } from './states/key-stream.ts';
export { SnapshotDamaged, type SnapshotFiles, SnapshotStore } from './states/snapshot-store.ts';
export { JetStreamLog } from './stream/jetstream-log.ts';
export {
  askOthers,
  askServerSettings,
  degradation,
  type LogServerSettings,
  lossOf,
  ReachWatch,
} from './stream/server-state.ts';
export {
  type ClusterAddress,
  ClusterUnfit,
  connectTo,
  explained,
  untilAnswered,
} from './stream/nats-link.ts';
export { type LogServerState, NatsStream } from './stream/nats-stream.ts';
export { RecordMac, RecordPlaces } from './stream/record-stream.ts';
export { backUp, type BackupContents, restore, verifyBackup } from './stream/stream-backup.ts';
export { StreamReader } from './stream/stream-reader.ts';
