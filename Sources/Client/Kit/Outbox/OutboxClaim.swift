/// A post of the outbox that this process has locked, so that no other sends it. The lock ends with ``release()``
/// or with this object.
public final class OutboxClaim: Sendable {
    private let file: OutboxFile
    private let drafts: DraftStore
    private let clock: @Sendable () -> Int64

    init(_ file: OutboxFile, _ drafts: DraftStore, _ clock: @escaping @Sendable () -> Int64) {
        (self.file, self.drafts, self.clock) = (file, drafts, clock)
    }

    /// The post, and how far it has come.
    public var entry: OutboxEntry { file.entry }

    /// Sends the post, unless that could make it appear twice. A refused post becomes a draft.
    /// - Parameters:
    ///   - client: A client with the credential of the account.
    ///   - trigger: Why the post is sent.
    ///   - progress: Called with the index of a media file and the number of its bytes that have been sent.
    /// - Throws: ``FeedClientError`` `.disk` if the state cannot be stored. Then either no request has been sent, or the
    ///   entry still says that its outcome is unknown.
    public func send(
        with client: FeedClient, _ trigger: OutboxTrigger = .flush,
        progress: @escaping @Sendable (_ file: Int, _ done: Int64) -> Void = { _, _ in }
    ) async throws -> OutboxResult {
        var sender = OutboxSender(file, client, trigger, clock: clock, progress: progress)
        let result = try await sender.run()
        guard case .kept(let entry, let error) = result, entry.state.isRefused, await becomesDraft() else {
            return result
        }
        return .refused(entry, error)
    }

    /// The draft is durable before the entry is removed; after a crash between the two, the next flush completes it. Of an
    /// action without a text, nothing is kept.
    /// - Returns: Whether it is no longer in the outbox.
    private func becomesDraft() async -> Bool {
        guard case .refused(let message) = entry.state else { return false }
        let draft = entry.post.content.map {
            KeptDraft(
                $0, by: entry.account, editing: entry.post.action?.editedID, reason: message, id: entry.id)
        }
        do {
            try await DiskThreads.run { [file, drafts] in
                if let draft { try drafts.save(draft) }
                try file.remove()
            }
            return true
        } catch {
            return false
        }
    }

    /// Removes the post from the outbox.
    /// - Throws: ``FeedClientError`` `.disk`.
    public func remove() async throws {
        try await DiskThreads.run { [file] in try file.remove() }
    }

    /// Lets others send the post. Afterwards this object must not be used.
    public func release() { file.unlock() }
}

/// The result of sending a post from the outbox.
public enum OutboxResult: Sendable {
    /// The server has the status, from this attempt or an earlier one. The entry has been removed.
    case delivered(OutboxEntry, SchedulingResult)
    /// The server has refused the post, which is a draft with the same id now if it has a text; the error is `nil` if it
    /// did so earlier.
    case refused(OutboxEntry, (any Error)?)
    /// The entry is still in the outbox, in the state that it holds; the error is `nil` if there was nothing to do.
    case kept(OutboxEntry, (any Error)?)

    public var entry: OutboxEntry {
        switch self {
        case .delivered(let entry, _), .refused(let entry, _), .kept(let entry, _): entry
        }
    }

    /// Whether the entry will be sent again.
    var isWaiting: Bool { if case .kept(let entry, _) = self { entry.state.isPending(.automatic) } else { false } }
}
