/// An entry of a list of statuses.
package protocol ListedEntry: Sendable {
    /// The id used to page the list.
    var pageID: Int64 { get }
    var references: StatusReferences { get }
}

/// The statuses and accounts whose entity or id the entity of a status contains.
package struct StatusReferences: Sendable, Equatable {
    package var id: Int64
    package var author: Int64
    package var parent: Int64?
    package var boost: Int64?
    package var booster: Int64?
}

extension Status: ListedEntry {
    package var references: StatusReferences {
        StatusReferences(
            id: id, author: account.id, parent: inReplyToID, boost: boost?.id, booster: boost?.account.id)
    }
}

/// What a viewer has marked on an entry of a list.
package struct MarkedEntry: Sendable, Equatable {
    /// The id of the status, or of the boost.
    package let id: Int64
    package let pageID: Int64
    package let marks: SharedStatus.Marks

    package init(id: Int64, pageID: Int64, marks: SharedStatus.Marks) {
        (self.id, self.pageID, self.marks) = (id, pageID, marks)
    }
}

/// The statuses and boosts that the reader of a list knows as they are at a position of the change log; `nil` for each of
/// the others.
package typealias KnownStatuses = @Sendable (_ ids: [Int64], _ position: Int64) -> [StatusTemplate?]

/// A status in a list, with what its viewer has marked. Its content is not read if the reader of the list knows it.
package struct ListedStatus: ListedEntry {
    package enum Content: Sendable {
        case known(StatusTemplate)
        case read(ReadStatus)
    }

    package let entry: MarkedEntry
    package let content: Content

    package init(_ entry: MarkedEntry, _ content: Content) { (self.entry, self.content) = (entry, content) }

    package var pageID: Int64 { entry.pageID }

    package var references: StatusReferences {
        switch content {
        case .known(let template): template.references
        case .read(let read): read.status.references
        }
    }
}

/// A status without marks, as it was at a position of the change log. An object, because copying a status costs more than
/// allocating one.
package final class ReadStatus: Sendable {
    package let status: Status
    package let position: Int64

    package init(_ status: consuming Status, at position: Int64) { (self.status, self.position) = (status, position) }
}

/// The JSON of a status that is encoded once for many viewers. What depends on the viewer is inserted for each of them.
package struct StatusTemplate: Sendable {
    package let bytes: [UInt8]
    /// The positions in ``bytes`` at which the fields are inserted that depend on the viewer.
    package let gaps: [Int]
    package let hasPoll: Bool
    package let isDirect: Bool
    package let references: StatusReferences

    package init(bytes: [UInt8], gaps: [Int], of status: Status) {
        (self.bytes, self.gaps, references) = (bytes, gaps, status.references)
        (hasPoll, isDirect) = (status.poll != nil, status.visibility == .direct)
    }

    /// The approximate memory in bytes.
    package var cost: Int { bytes.count + 8 * gaps.count + 256 }

    /// Whether a viewer could pin the status.
    package func canPin(_ viewer: Int64) -> Bool { viewer == references.author && !isDirect }
}
