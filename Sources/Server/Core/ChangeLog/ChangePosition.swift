/// A point in the change log.
package struct ChangePosition: Sendable, Equatable {
    package let epoch: String
    package let sequence: Int64

    package init(epoch: String, sequence: Int64) {
        self.epoch = epoch
        self.sequence = sequence
    }

    /// The text of a ``ChangeCursor``.
    package var formatted: String { "\(epoch)-\(sequence)" }
}

/// A position in the change log, as a client sends it.
///
/// Clients treat it as opaque. Its text is `EPOCH-SEQUENCE`; a bare `SEQUENCE` belongs to the current epoch.
package struct ChangeCursor: Sendable, Equatable {
    /// The maximum length of a cursor in bytes.
    static let maximumBytes = 200

    /// `nil` for the current epoch.
    package let epoch: String?
    /// A number beyond the range of sequence numbers becomes the largest one, which is ahead of every log.
    package let sequence: Int64

    package init(epoch: String? = nil, sequence: Int64) {
        self.epoch = epoch
        self.sequence = sequence
    }

    /// - Throws: ``FeedError`` `.malformed` unless the text is a cursor.
    package init(_ text: String) throws(FeedError) {
        guard text.utf8.count <= Self.maximumBytes,
            let digits = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).last,
            !digits.isEmpty, digits.allSatisfy(Self.isDigit)
        else { throw Self.malformed }
        let epoch = text.utf8.dropLast(digits.count)
        guard epoch.isEmpty || epoch.count > 1, epoch.allSatisfy(Self.isEpoch) else { throw Self.malformed }
        self.epoch = epoch.isEmpty ? nil : String(Substring(epoch.dropLast()))
        sequence = Int64(Substring(digits)) ?? .max
    }

    private static let malformed = FeedError.malformed(
        "The position is not valid", hint: "Send a position exactly as the server returned it.")

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    /// Whether a byte may be part of an epoch or separates it from the sequence number.
    private static func isEpoch(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == 45 || (65...90).contains(byte) || (97...122).contains(byte)
    }
}

/// A cheap indication of changes. Equal stamps do not prove that nothing has changed.
package struct ChangeStamp: Sendable, Equatable {
    private let parts: [Int64]

    package init(_ parts: Int64...) { self.parts = parts }
}

/// The part of the change log that can be replayed.
package struct ChangeWindow: Sendable, Equatable {
    /// The position from which a reader continues.
    package enum Start: Sendable, Equatable {
        /// With the rows after a sequence number.
        case replay(after: Int64)
        /// At the end of the log, because rows after the position of the reader are missing, or the position is ahead of
        /// the log or belongs to another epoch. The reader must be told once.
        case resync
    }

    package let epoch: String
    /// All rows after this sequence number are kept.
    package let floor: Int64
    /// The newest sequence number.
    package let last: Int64

    /// - Parameters:
    ///   - pruned: The largest sequence number that was removed from the log; `nil` if no row was removed.
    ///   - first: The oldest row, and `last` the newest one; `nil` if the log is empty.
    package init(epoch: String, pruned: Int64? = nil, first: Int64? = nil, last: Int64? = nil) {
        self.epoch = epoch
        self.last = max(last ?? 0, 0)
        // A row may be older than one that was removed, because times do not always increase.
        floor = min(max(pruned ?? 0, max(first ?? 1, 1) - 1), self.last)
    }

    package func start(from cursor: ChangeCursor) -> Start {
        guard cursor.epoch == nil || cursor.epoch == epoch, cursor.sequence >= floor, cursor.sequence <= last else {
            return .resync
        }
        return .replay(after: cursor.sequence)
    }

    /// The end of the log.
    package var end: ChangePosition { position(last) }

    package func position(_ sequence: Int64) -> ChangePosition { ChangePosition(epoch: epoch, sequence: sequence) }
}
