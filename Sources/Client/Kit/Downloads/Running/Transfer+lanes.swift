/// Opening connections, and what their ends mean.
extension Transfer {
    /// How many times the time to its answer a connection needs to be as fast as it can be (TCP's slow start).
    private static let toFullRate = 3.0

    /// As many as are wanted and have something to do.
    func openLanes(_ group: inout ThrowingTaskGroup<Event, any Error>) {
        let now = Seconds.now
        guard now >= notBefore, let host = ServerAddress.origin(address) else { return }
        let wanted = wantedLanes(host)
        while lanes.count < wanted, enter(host) {
            lastLane += 1
            let id = lastLane
            let more = wanted - lanes.count - 1
            guard let span = scheduler.open(id, more: more, mayShare: mayShare, delay: delay) else {
                return client.hosts.leave(host, hadBegun: false)
            }
            lanes[id] = OpenLane(host: host, opened: now)
            let lane = Lane(
                id, ask: ask(for: span), tag: known?.tag, url: address, stall: options.stall, of: self, client)
            group.addTask { .ended(id, await lane.run()) }
        }
    }

    /// Seconds until a new connection is as fast as it can be.
    private var delay: Double { (latency ?? 0) * Self.toFullRate }

    private func wantedLanes(_ host: String) -> Int {
        guard isConfirmed, !isStream else { return 1 }
        let wanted = options.connections ?? client.hosts.width(host)
        return max(1, min(wanted, manners.mostLanes))
    }

    private func enter(_ host: String) -> Bool {
        guard options.connections == nil, !lanes.isEmpty else {
            client.hosts.enter(host)
            return true
        }
        return client.hosts.tryEnter(host)
    }

    private var mayShare: Bool {
        length.map { ChunkRule.isShared(total: $0, isFixed: options.connections != nil) } ?? false
    }

    private func ask(for span: Range<Int64>) -> Ask {
        Ask(
            span: manners.asksForParts ? span : nil, isConditional: known != nil && manners.usesIfRange,
            mayEndAnywhere: order.sha256 != nil)
    }

    /// Gives back what the connections held.
    func closeAll() {
        for id in lanes.keys { _ = close(id) }
        (isHashing, isCommitting) = (false, false)
    }

    private func close(_ id: Int) -> OpenLane? {
        scheduler.close(id)
        guard let lane = lanes.removeValue(forKey: id) else { return nil }
        client.hosts.leave(lane.host, hadBegun: lane.hasBegun)
        return lane
    }

    // MARK: Ends

    private static let unclear = FeedClientError(
        .network, "The server sends neither the file nor its parts as it says", hint: "Try again later.")

    func ended(_ id: Int, _ end: LaneEnd) throws {
        if let failure { throw failure }
        let hasAll = scheduler.lanes[id]?.rest == 0
        guard let lane = close(id) else { return }
        switch end {
        case .done: break
        // What it had to bring is there, or somebody else's now.
        case .broken where hasAll: break
        case .broken(let error): try broken(lane, error)
        case .refused(let error): try refused(lane, error)
        case .garbled(let error): try garbled(lane, error)
        case .changed: try changed()
        case .conditionIgnored: manners.usesIfRange = false
        case .rangesIgnored: manners.mostLanes = 1
        case .wholeOnly:
            if !manners.asksForParts { try broken(lane, Self.unclear) }
            manners.asksForParts = false
            throw Restart()
        case .failed(let error): throw error
        }
    }

    private func broken(_ lane: OpenLane, _ error: FeedClientError) throws {
        let now = Seconds.now
        if error.code == .tryLater {
            client.hosts.throttled(lane.host, now: now)
            // Without a fixed number the host's width goes down, and up again later.
            if options.connections != nil, !lanes.isEmpty { manners.mostLanes = lanes.count }
        }
        // Where a redirect led before may be gone; as long as others bring something from there it is not.
        if !lane.hasBegun, lanes.isEmpty, error.code != .tryLater { address = source }
        takeUpProgress()
        // Connections that break together are one failure.
        let isNew = lane.opened > failedAt
        if isNew {
            guard let pause = pause(after: error) else { return try giveUp(error) }
            failedAt = now
            notBefore = max(notBefore, now + pause)
        } else if let seconds = error.retryAfter, seconds <= options.patience {
            notBefore = max(notBefore, now + Double(seconds))
        }
        if isStream, known != nil { throw Restart() }
    }

    /// One odd answer may be an accident, more are the server's nature.
    private func garbled(_ lane: OpenLane, _ error: FeedClientError) throws {
        takeUpProgress()
        // As with those that break, together they are one.
        if lane.opened > garbledAt { (garbled, garbledAt) = (garbled + 1, Seconds.now) }
        guard garbled <= Self.mostGarbled else { return try giveUp(error) }
        try broken(lane, error)
    }

    private func pause(after error: FeedClientError) -> Double? {
        budget.pause(
            retryAfter: error.retryAfter, patience: options.patience, jitter: Double.random(in: 0..<1))
    }

    /// As long as another connection brings something, it is not the end.
    private func giveUp(_ error: FeedClientError) throws {
        guard !lanes.isEmpty else { throw error }
        manners.mostLanes = lanes.count
    }

    private func refused(_ lane: OpenLane, _ error: FeedClientError) throws {
        guard lanes.isEmpty else { return try giveUp(error) }
        // An address that a redirect gave may have been good for a while only.
        guard address != source, error.code == .unreachable || [401, 403, 404, 410].contains(error.status),
            let pause = pause(after: error)
        else { throw error }
        address = source
        notBefore = Seconds.now + pause
    }

    private func changed() throws {
        changes += 1
        // Each of several servers may call it by its own name: one connection stays with one.
        if changes > 1 { manners.mostLanes = 1 }
        farthest = 0
        // Another query may be another file, of which the earlier checksum says nothing.
        if adoptedFrom != source { order.sha256 = options.sha256 }
        guard changes <= Self.mostChanges else {
            throw FeedClientError(.integrity, "The file keeps changing on the server", hint: "Try again later.")
        }
        progress.note("The file has changed on the server: starting over.")
        throw Restart()
    }
}
