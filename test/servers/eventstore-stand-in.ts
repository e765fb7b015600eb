/**
 * A stand-in for EventStoreDB, since no package carries the server: it speaks the published gRPC protocol, through the
 * services that the client package ships, and enforces what the server enforces: expected revisions, repeated appends,
 * the order of `$all`, filters, `$maxAge`. It keeps everything in memory. It cannot show how the real server
 * behaves beyond that.
 */

import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import gossipPb from '@eventstore/db-client/generated/gossip_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import service from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type { AppendReq, AppendResp, DeleteReq, DeleteResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import {
  status as grpcStatus,
  Metadata,
  Server,
  ServerCredentials,
  type ServerReadableStream,
  type ServerWritableStream,
} from '@grpc/grpc-js'
import emptyPb from 'google-protobuf/google/protobuf/empty_pb.js'
import type { Certificate } from './certificates.js'
import { EventStoreMemory, type Expected, type Proposed, type Recorded, WrongVersion } from './eventstore-memory.js'

interface StandInOptions {
  /** Speaks TLS with it. */
  certificate?: Certificate
  /** Is a follower of this one. */
  leader?: EventStoreStandIn
}

type Reply<T> = (error: Error | null, response?: T) => void

export class EventStoreStandIn {
  readonly memory: EventStoreMemory
  /** Where subscriptions to `$all` began. */
  readonly subscribedAfter: number[] = []
  readonly #members: EventStoreStandIn[]
  readonly #certificate: Certificate | undefined
  #leader: EventStoreStandIn
  #server = new Server()
  #port = 0

  static async start(options: StandInOptions = {}): Promise<EventStoreStandIn> {
    const standIn = new EventStoreStandIn(options)
    await standIn.#listen()
    return standIn
  }

  private constructor({ certificate, leader }: StandInOptions) {
    this.#certificate = certificate
    this.#leader = leader ?? this
    this.memory = leader?.memory ?? new EventStoreMemory()
    this.#members = leader === undefined ? [] : leader.#members
    this.#members.push(this)
  }

  get port(): number {
    return this.#port
  }

  get url(): string {
    const certificate = this.#certificate
    const tls = certificate === undefined ? 'tls=false' : `tls=true&tlsCAFile=${encodeURIComponent(certificate.certFile)}`
    return `esdb://127.0.0.1:${this.#port}?${tls}`
  }

  /** From now on all members of its cluster name it as their leader. */
  lead(): void {
    for (const member of this.#members) member.#leader = this
  }

  /** Closes every connection and listens again on the same port, with all events still there. */
  async dropConnections(): Promise<void> {
    await this.stop()
    await this.#listen()
  }

  async stop(): Promise<void> {
    this.#server.forceShutdown()
  }

  async #listen(): Promise<void> {
    this.#server = new Server()
    this.#server.addService(service.StreamsService, {
      read: (call: ServerWritableStream<ReadReq, ReadResp>) => {
        const refusal = this.#refusal(call.metadata)
        if (refusal === null) this.#read(call)
        else call.emit('error', refusal)
      },
      delete: (call: { metadata: Metadata; request: DeleteReq }, reply: Reply<DeleteResp>) => {
        const refusal = this.#refusal(call.metadata)
        if (refusal !== null) return reply(refusal)
        this.memory.delete(nameOf(call.request.getOptions()?.getStreamIdentifier()))
        reply(null, new streams.DeleteResp().setNoPosition(new emptyPb.Empty()))
      },
      append: (call: ServerReadableStream<AppendReq, AppendResp>, reply: Reply<AppendResp>) => this.#append(call, reply),
    })
    this.#server.addService(gossip.GossipService, {
      read: (_call: unknown, reply: Reply<gossipPb.ClusterInfo>) =>
        reply(null, new gossipPb.ClusterInfo().setMembersList(this.#members.map((member) => member.#memberInfo()))),
    })
    const credentials =
      this.#certificate === undefined
        ? ServerCredentials.createInsecure()
        : ServerCredentials.createSsl(null, [
            { cert_chain: Buffer.from(this.#certificate.cert), private_key: Buffer.from(this.#certificate.key) },
          ])
    this.#port = await new Promise<number>((resolve, reject) => {
      const address = `127.0.0.1:${this.#port}`
      this.#server.bindAsync(address, credentials, (error, port) => (error ? reject(error) : resolve(port)))
    })
  }

  #memberInfo() {
    const { LEADER, FOLLOWER } = gossipPb.MemberInfo.VNodeState
    return new gossipPb.MemberInfo()
      .setInstanceId(new shared.UUID().setString('00000000-0000-0000-0000-000000000001'))
      .setState(this.#leader === this ? LEADER : FOLLOWER)
      .setIsAlive(true)
      .setHttpEndPoint(new gossipPb.EndPoint().setAddress('127.0.0.1').setPort(this.#port))
  }

  /** Of a follower that is asked for the leader. */
  #refusal(asked: Metadata): Error | null {
    if (this.#leader === this || asked.get('requires-leader')[0] !== 'true') return null
    const metadata = new Metadata()
    metadata.set('exception', 'not-leader')
    metadata.set('leader-endpoint-host', '127.0.0.1')
    metadata.set('leader-endpoint-port', String(this.#leader.#port))
    const details = 'Leader info available'
    return Object.assign(new Error(details), { code: grpcStatus.NOT_FOUND, details, metadata })
  }

  #read(call: ServerWritableStream<ReadReq, ReadResp>): void {
    const options = call.request.getOptions()
    if (options === undefined) fail(call, 'no options')
    else if (options.hasSubscription()) this.#follow(call, options)
    else this.#readOnce(call, options)
  }

  #readOnce(call: ServerWritableStream<ReadReq, ReadResp>, options: ReadReq.Options): void {
    const stream = options.getStream()
    const backwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS
    const limit = Number(options.getCount())
    if (stream !== undefined) {
      const found = this.memory.stream(nameOf(stream.getStreamIdentifier()))
      if (found === null) call.write(notFound(nameOf(stream.getStreamIdentifier())))
      const from = stream.hasRevision() ? Number(stream.getRevision()) : 0
      const chosen = backwards ? (found ?? []).toReversed() : (found ?? []).filter(({ revision }) => revision >= from)
      for (const event of chosen.slice(0, limit)) call.write(readEvent(event))
    } else {
      const all = backwards ? this.memory.all.toReversed() : this.memory.all
      for (const event of all.slice(0, limit)) call.write(readEvent(event))
    }
    call.end()
  }

  #follow(call: ServerWritableStream<ReadReq, ReadResp>, options: ReadReq.Options): void {
    const position = options.getAll()?.getPosition()
    const prefixes = options.getFilter()?.getStreamIdentifier()?.getPrefixList() ?? []
    const matches = ({ stream }: Recorded) => prefixes.some((prefix) => stream.startsWith(prefix))
    call.write(new streams.ReadResp().setConfirmation(new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId('1')))
    let passed = position === undefined ? 0 : Number(position.getCommitPosition())
    this.subscribedAfter.push(passed)
    const advance = () => {
      for (const event of this.memory.after(passed)) {
        passed = event.position
        if (matches(event)) call.write(readEvent(event))
      }
    }
    advance()
    const at = String(passed)
    call.write(new streams.ReadResp().setCheckpoint(new streams.ReadResp.Checkpoint().setCommitPosition(at).setPreparePosition(at)))
    call.write(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()))
    call.on('cancelled', this.memory.listen(advance))
  }

  async #append(call: ServerReadableStream<AppendReq, AppendResp>, reply: Reply<AppendResp>): Promise<void> {
    const requests: AppendReq[] = []
    // A client that hangs up is told nothing.
    call.on('error', () => {})
    for await (const request of call) requests.push(request)
    const refusal = this.#refusal(call.metadata)
    const options = requests[0]?.getOptions()
    if (refusal !== null || options === undefined) return reply(refusal ?? new Error('no options'))
    const events = requests.slice(1).map((request) => ({
      id: request.getProposedMessage()?.getId()?.getString() ?? '',
      type: request.getProposedMessage()?.getMetadataMap().get('type') ?? '',
      data: Buffer.from(request.getProposedMessage()?.getData_asU8() ?? []),
    }))
    reply(null, this.#written(options, events))
  }

  #written(options: AppendReq.Options, events: readonly Proposed[]): AppendResp {
    try {
      const { revision, position } = this.memory.append(nameOf(options.getStreamIdentifier()), events, expectedOf(options))
      const at = new streams.AppendResp.Position().setCommitPosition(String(position)).setPreparePosition(String(position))
      return new streams.AppendResp().setSuccess(new streams.AppendResp.Success().setCurrentRevision(String(revision)).setPosition(at))
    } catch (error) {
      if (!(error instanceof WrongVersion)) throw error
      return new streams.AppendResp().setWrongExpectedVersion(wrongVersion(error, options))
    }
  }
}

function expectedOf(options: AppendReq.Options): Expected {
  if (options.hasRevision()) return Number(options.getRevision())
  return options.hasNoStream() ? -1 : 'any'
}

function wrongVersion({ actual }: WrongVersion, options: AppendReq.Options) {
  const details = new streams.AppendResp.WrongExpectedVersion()
  if (actual === null) details.setCurrentNoStream(new emptyPb.Empty())
  else details.setCurrentRevision(String(actual))
  if (options.hasRevision()) details.setExpectedRevision(options.getRevision())
  else details.setExpectedNoStream(new emptyPb.Empty())
  return details
}

const nameOf = (identifier: { getStreamName_asU8(): Uint8Array } | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8')

const identifierOf = (stream: string) => new shared.StreamIdentifier().setStreamName(Buffer.from(stream).toString('base64'))

const notFound = (stream: string) =>
  new streams.ReadResp().setStreamNotFound(new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifierOf(stream)))

const TICKS_PER_MS = 10_000n

function readEvent({ id, stream, revision, type, data, recordedAt, position }: Recorded) {
  const event = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(id))
    .setStreamIdentifier(identifierOf(stream))
    .setStreamRevision(String(revision))
    .setCommitPosition(String(position))
    .setPreparePosition(String(position))
    .setData(data.toString('base64'))
  event
    .getMetadataMap()
    .set('type', type)
    .set('content-type', 'application/json')
    .set('created', String(BigInt(recordedAt) * TICKS_PER_MS))
  return new streams.ReadResp().setEvent(new streams.ReadResp.ReadEvent().setEvent(event).setCommitPosition(String(position)))
}

function fail(call: ServerWritableStream<ReadReq, ReadResp>, details: string): void {
  call.emit('error', Object.assign(new Error(details), { code: grpcStatus.INVALID_ARGUMENT, details }))
}
