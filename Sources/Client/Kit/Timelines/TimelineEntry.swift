public import FeedAPI

/// A status, decoded and as the server sent it.
public struct TimelineEntry: Sendable {
    public let status: Entity.Status
    /// The JSON object that the server sent.
    public let json: [UInt8]

    public init(status: Entity.Status, json: [UInt8]) {
        self.status = status
        self.json = json
    }

    /// The status, or the one that it boosts.
    var inner: Entity.Status { status.reblog?.value ?? status }
}

extension FeedClient {
    /// The status in a response.
    static func entry(_ response: Response) throws -> TimelineEntry {
        TimelineEntry(status: try response.decode(Entity.Status.self), json: response.bytes)
    }
}

/// A status of a timeline, with the accounts whose boosts brought it there.
public struct BoostedStatus: Sendable, Equatable {
    /// The status itself, never a boost.
    public let status: Entity.Status
    /// In the order of the timeline, each once.
    public private(set) var boosters: [Entity.Account]

    /// A single status or boost.
    public init(_ status: Entity.Status) {
        var inner = status.reblog?.value ?? status
        // Servers send the filters with the boost, with the boosted status, or with both.
        if let outer = status.filtered, status.reblog != nil { inner.filtered = (inner.filtered ?? []) + outer }
        self.status = inner
        boosters = status.reblog == nil ? [] : [status.account]
    }

    /// The statuses of a timeline, each once, where it appears first.
    public static func merged(_ statuses: [Entity.Status]) -> [BoostedStatus] {
        var merged: [BoostedStatus] = []
        var positions: [String: Int] = [:]
        for status in statuses {
            let item = BoostedStatus(status)
            guard let position = positions[item.status.id] else {
                positions[item.status.id] = merged.count
                merged.append(item)
                continue
            }
            for account in item.boosters where !merged[position].boosters.contains(where: { $0.id == account.id }) {
                merged[position].boosters.append(account)
            }
        }
        return merged
    }
}
