/**
 * The client gives up on a server that takes a connection and then says nothing, but leaves that connection open. Such
 * a server costs a file handle with every try, and they keep a process from ending. So whoever gives up hangs up, too.
 */
import { NodeTransport } from 'nats/lib/src/node_transport.js'

const { close, peekInfo } = NodeTransport.prototype
const abandoned = new WeakSet<NodeTransport>()

NodeTransport.prototype.close = function (error) {
  if (!this.connected) {
    abandoned.add(this)
    this.socket?.destroy()
  }
  return close.call(this, error)
}

/** Follows when the connection stands, which may be long after. */
NodeTransport.prototype.peekInfo = function () {
  if (abandoned.has(this)) this.socket?.destroy()
  return peekInfo.call(this)
}
