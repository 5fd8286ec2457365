import NIOHTTP1

/// What the answers say, for all connections in one place.
extension Transfer {
    /// More than that is not fetched twice only because a server rounds down.
    static let mostOverlap: Int64 = 1 << 20

    /// Judges an answer before anybody reads its body.
    func answered(
        _ id: Int, _ ask: Ask, status: Int, headers: HTTPHeaders, url: String
    ) throws(FeedClientError) -> LaneOrder {
        // It was too late: nobody waits for it any more.
        guard lanes[id] != nil else { return .end(.done) }
        switch RangeAnswer.judge(ask, known: known, status: status, headers: headers, url: url) {
        case .part(let file, let span): return try part(id, ask, file, span)
        case .whole(let file, let takesRanges): return try whole(id, file, takesRanges)
        case .changed: return .end(.changed)
        case .conditionIgnored: return .end(.conditionIgnored)
        case .unsatisfiable: return .end(.wholeOnly)
        case .refused(let words):
            throw FeedClientError(
                .integrity, words, hint: "The server does not answer as it should; fetch the file another way.")
        }
    }

    private func part(
        _ id: Int, _ ask: Ask, _ file: Representation, _ span: Range<Int64>
    ) throws(FeedClientError) -> LaneOrder {
        try checkPromise(file)
        let offset = ask.span?.lowerBound ?? 0
        let overlap = offset - span.lowerBound
        if known == nil {
            // A part that nobody could continue.
            if file.tag == nil, span.upperBound != file.total { return .end(.wholeOnly) }
            try begin(id, file, isStream: file.tag == nil)
        } else if overlap > Self.mostOverlap, lanes.count > 1 {
            return .end(.rangesIgnored)
        }
        confirm(id, at: file.url)
        return .receive(span, skip: overlap)
    }

    private func whole(
        _ id: Int, _ file: Representation, _ takesRanges: Bool
    ) throws(FeedClientError) -> LaneOrder {
        guard known == nil else { return .end(lanes.count > 1 ? .rangesIgnored : .wholeOnly) }
        try checkPromise(file)
        let isStream = file.tag == nil || file.total == nil || !takesRanges || !manners.asksForParts
        try begin(id, file, isStream: isStream)
        confirm(id, at: file.url)
        return .receive(0..<(file.total ?? .max), skip: 0)
    }

    private func checkPromise(_ file: Representation) throws(FeedClientError) {
        guard let wanted = order.sha256, let digest = file.digest, wanted != digest else { return }
        throw FeedClientError(
            .integrity, "The server has another file: its sha-256 is \(digest)",
            hint: "Check the checksum, or who offers the file.")
    }

    /// The first answer says which file it is.
    private func begin(_ id: Int, _ file: Representation, isStream: Bool) throws(FeedClientError) {
        known = file
        length = file.total
        self.isStream = isStream
        if isStream {
            progress.note("The server offers no way to go on after an interruption; one connection fetches it all.")
        }
        ledger = Ledger(chunkSize: ChunkRule.size(total: file.total ?? 0, wanted: options.chunkSize))
        prefix = PrefixHash()
        scheduler = Scheduler(missing: SpanSet(0..<(file.total ?? .max)))
        _ = scheduler.open(id)
        try checkSpace()
    }

    /// - Parameter url: Where the answer came from, after redirects: that host's connection it is.
    private func confirm(_ id: Int, at url: String) {
        (isConfirmed, isOurs) = (true, true)
        address = url
        guard var lane = lanes[id], !lane.hasBegun else { return }
        let (host, seconds) = (ServerAddress.origin(url) ?? lane.host, Seconds.now - lane.opened)
        client.hosts.move(from: lane.host, to: host)
        (lane.host, lane.hasBegun) = (host, true)
        lanes[id] = lane
        latency = min(latency ?? seconds, seconds)
        client.hosts.began(host)
        client.hosts.answered(host, after: seconds)
    }

    /// A stream without a length has come to its end.
    func streamEnded(at offset: Int64) { length = offset }

    /// How many of the bytes a connection brings are wanted, and how many more after them.
    func accept(_ id: Int, _ count: Int) -> (wanted: Int, rest: Int64) {
        let wanted = scheduler.accept(id, count)
        if let lane = lanes[id] { client.hosts.received(wanted, from: lane.host) }
        return (wanted, scheduler.lanes[id]?.rest ?? 0)
    }
}
