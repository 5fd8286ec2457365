import NIOCore
import NIOHTTP1

/// Requests that wait for another one, which refreshes their response.
extension StoredResponseHandler {
    /// - Returns: `false` if the held request has to refresh the response itself.
    func wait(_ held: Held, for key: StoredResponse.Key, _ context: ChannelHandlerContext) -> Bool {
        guard responses.waitForRefresh(of: key, resumption(waits + 1, context)) else { return false }
        (self.held, waits) = (nil, waits + 1)
        let late = resumption(waits, isLate: true, context)
        let deadline = context.eventLoop.scheduleTask(in: Self.maximumWait, late)
        waiting = Waiting(held: held, number: waits, deadline: deadline)
        return true
    }

    private func resumption(
        _ number: Int, isLate: Bool = false, _ context: ChannelHandlerContext
    ) -> @Sendable () -> Void {
        let loop = context.eventLoop
        let place = NIOLoopBound((handler: self, context: context), eventLoop: loop)
        return { loop.execute { place.value.handler.resume(number, isLate: isLate, place.value.context) } }
    }

    /// Answers the waiting request, or lets it wait again or take the ordinary path.
    /// - Parameter number: Another request may already wait.
    private func resume(_ number: Int, isLate: Bool, _ context: ChannelHandlerContext) {
        guard let waiting, waiting.number == number else { return }
        if let encoder, context.channel.isWritable, connection.permitsStoredResponse {
            switch responses.decide(waiting.held.request, on: peer(context)) {
            case .answer(let answer):
                waiting.deadline.cancel()
                self.waiting = nil
                return send(answer, to: waiting.held, encoder)
            case .refresh(let key) where !isLate:
                if responses.waitForRefresh(of: key, resumption(number, context)) { return }
                self.waiting?.held.refreshes = key
            case .refresh, .pass: break
            }
        }
        stopWaiting(context)
        context.fireChannelReadComplete()
    }

    /// Lets the waiting request take the ordinary path.
    /// - Returns: Whether there is one.
    @discardableResult
    func stopWaiting(_ context: ChannelHandlerContext) -> Bool {
        guard let waiting else { return false }
        waiting.deadline.cancel()
        (self.waiting, held) = (nil, waiting.held)
        release(context)
        order.passedEnd()
        context.fireChannelRead(wrapInboundOut(.end(nil)))
        return true
    }

    func refreshEnded() {
        guard let key = candidate?.refreshes else { return }
        candidate?.refreshes = nil
        responses.refreshEnded(key)
    }

    /// Forgets all requests of the connection, which is closed.
    func drop() {
        refreshEnded()
        if let key = held?.refreshes { responses.refreshEnded(key) }
        waiting?.deadline.cancel()
        (held, waiting, candidate) = (nil, nil, nil)
    }
}
