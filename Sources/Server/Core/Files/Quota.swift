/// The rule for how much an account may store.
package struct Quota: Sendable {
    /// Bytes of all files of an account; `nil` for no limit.
    package let limit: Int64?
    /// Bytes it has stored.
    package let used: Int64

    package init(limit: Int64?, used: Int64) {
        self.limit = limit
        self.used = used
    }

    /// Bytes that may still come, when a file of `replaced` bytes goes.
    package func left(replacing replaced: Int64 = 0) -> Int64 {
        guard let limit else { return .max }
        // Both may be anything: the limit is the operator's, the sums are stored.
        let (left, isLess) = limit.subtractingReportingOverflow(max(0, used))
        let (sum, isMore) = left.addingReportingOverflow(max(0, replaced))
        return isLess ? 0 : isMore ? .max : max(0, sum)
    }

    /// - Throws: ``FeedError`` `.quota` when `bytes` do not fit any more.
    package func check(_ bytes: Int64, replacing replaced: Int64 = 0) throws(FeedError) {
        guard bytes <= left(replacing: replaced) else {
            throw Self.exceeded(limit ?? 0)
        }
    }

    package static func exceeded(_ limit: Int64) -> FeedError {
        FeedError(.quota, "Your files would take more than \(limit) bytes", hint: "Delete some first.")
    }
}
