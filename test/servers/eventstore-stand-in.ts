/**
 * A stand-in for EventStoreDB, since no package carries the server: it speaks the published gRPC protocol, through the
 * services that the client package ships, and enforces what the server enforces: expected revisions, repeated appends,
 * the order of `$all`, filters, `$maxAge`. It keeps everything in memory. It cannot show how the real server
 * behaves beyond that.
 */

import features from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import featuresPb from '@eventstore/db-client/generated/serverfeatures_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import status from '@eventstore/db-client/generated/status_pb.js'
import service from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type {
  BatchAppendReq,
  BatchAppendResp,
  DeleteReq,
  DeleteResp,
  ReadReq,
  ReadResp,
} from '@eventstore/db-client/generated/streams_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { status as grpcStatus, Server, ServerCredentials, type ServerDuplexStream, type ServerWritableStream } from '@grpc/grpc-js'
import anyPb from 'google-protobuf/google/protobuf/any_pb.js'
import emptyPb from 'google-protobuf/google/protobuf/empty_pb.js'
import { EventStoreMemory, type Expected, type Recorded, WrongVersion } from './eventstore-memory.js'

export class EventStoreStandIn {
  readonly memory = new EventStoreMemory()
  #server = new Server()
  #port = 0

  static async start(): Promise<EventStoreStandIn> {
    const standIn = new EventStoreStandIn()
    await standIn.#listen()
    return standIn
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.#port}?tls=false`
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
      read: (call: ServerWritableStream<ReadReq, ReadResp>) => this.#read(call),
      delete: (call: { request: DeleteReq }, done: (error: null, response: DeleteResp) => void) => {
        this.memory.delete(nameOf(call.request.getOptions()?.getStreamIdentifier()))
        done(null, new streams.DeleteResp().setNoPosition(new emptyPb.Empty()))
      },
      batchAppend: (call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>) => this.#batchAppend(call),
    })
    this.#server.addService(features.ServerFeaturesService, {
      getSupportedMethods: (_call: unknown, done: (error: null, methods: unknown) => void) => done(null, supportedMethods()),
    })
    this.#port = await new Promise<number>((resolve, reject) => {
      const address = `127.0.0.1:${this.#port}`
      this.#server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) => (error ? reject(error) : resolve(port)))
    })
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

  #batchAppend(call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>): void {
    const begun = new Map<string, { options: BatchAppendReq.Options; messages: BatchAppendReq.ProposedMessage[] }>()
    call.on('data', (request: BatchAppendReq) => {
      const correlation = request.getCorrelationId()?.getString() ?? ''
      const options = begun.get(correlation)?.options ?? request.getOptions()
      if (options === undefined) return
      const messages = [...(begun.get(correlation)?.messages ?? []), ...request.getProposedMessagesList()]
      begun.set(correlation, { options, messages })
      if (!request.getIsFinal()) return
      begun.delete(correlation)
      call.write(this.#append(options, messages).setCorrelationId(request.getCorrelationId()))
    })
    call.on('end', () => call.end())
  }

  #append(options: BatchAppendReq.Options, messages: readonly BatchAppendReq.ProposedMessage[]): BatchAppendResp {
    const stream = nameOf(options.getStreamIdentifier())
    const response = new streams.BatchAppendResp().setStreamIdentifier(options.getStreamIdentifier())
    const events = messages.map((message) => ({
      id: message.getId()?.getString() ?? '',
      type: message.getMetadataMap().get('type') ?? '',
      data: Buffer.from(message.getData_asU8()),
    }))
    try {
      const { revision, position } = this.memory.append(stream, events, expectedOf(options))
      const at = new shared.AllStreamPosition().setCommitPosition(String(position)).setPreparePosition(String(position))
      return response.setSuccess(new streams.BatchAppendResp.Success().setCurrentRevision(String(revision)).setPosition(at))
    } catch (error) {
      if (!(error instanceof WrongVersion)) throw error
      return response.setError(wrongVersion(error, options))
    }
  }
}

function supportedMethods() {
  const method = new featuresPb.SupportedMethod().setServiceName('event_store.client.streams.streams').setMethodName('batchappend')
  return new featuresPb.SupportedMethods().setEventStoreServerVersion('stand-in').setMethodsList([method])
}

function expectedOf(options: BatchAppendReq.Options): Expected {
  if (options.hasStreamPosition()) return Number(options.getStreamPosition())
  return options.hasNoStream() ? -1 : 'any'
}

function wrongVersion({ actual }: WrongVersion, options: BatchAppendReq.Options) {
  const details = new shared.WrongExpectedVersion()
  if (actual === null) details.setCurrentNoStream(new emptyPb.Empty())
  else details.setCurrentStreamRevision(String(actual))
  if (options.hasStreamPosition()) details.setExpectedStreamPosition(options.getStreamPosition())
  else details.setExpectedNoStream(new emptyPb.Empty())
  const packed = new anyPb.Any()
  packed.pack(details.serializeBinary(), 'event_store.client.WrongExpectedVersion')
  return new status.Status().setCode(9).setMessage('WrongExpectedVersion').setDetails(packed)
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
  call.destroy(Object.assign(new Error(details), { code: grpcStatus.INVALID_ARGUMENT, details }))
}
