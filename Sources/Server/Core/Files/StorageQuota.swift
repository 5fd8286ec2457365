/// The storage quota of an account.
package struct StorageQuota: Sendable {
    /// The limit in bytes; `nil` for no limit.
    package let limit: Int64?
    /// The number of bytes in use.
    package let used: Int64

    package init(limit: Int64?, used: Int64) {
        self.limit = limit
        self.used = used
    }

    /// The number of bytes available when a file of `replaced` bytes is replaced.
    package func left(replacing replaced: Int64 = 0) -> Int64 {
        guard let limit else { return .max }
        // Guards against overflow, because neither the configured limit nor the stored sum is bounded.
        let (left, isLess) = limit.subtractingReportingOverflow(max(0, used))
        let (sum, isMore) = left.addingReportingOverflow(max(0, replaced))
        return isLess ? 0 : isMore ? .max : max(0, sum)
    }

    /// - Throws: ``FeedError`` `.quota` if `bytes` exceed the available space.
    package func check(_ bytes: Int64, replacing replaced: Int64 = 0) throws(FeedError) {
        guard bytes <= left(replacing: replaced) else {
            throw Self.exceeded(limit ?? 0)
        }
    }

    /// The error for a quota of `limit` bytes.
    package static func exceeded(_ limit: Int64) -> FeedError {
        FeedError(.quota, "Your files would exceed the quota of \(limit) bytes", hint: "Delete some files first.")
    }
}
