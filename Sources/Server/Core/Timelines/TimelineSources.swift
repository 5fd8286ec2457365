/// Where the statuses of a timeline come from that differs for each account.
package struct TimelineSources: Sendable, Equatable {
    /// The accounts whose statuses the timeline contains: of a list, the members; at home, the account and those that it
    /// follows. `nil` if they are too many to list.
    package var authors: Set<Int64>?
    /// The keys of the hashtags whose public statuses the timeline contains.
    package var tags: Set<String>

    package init(authors: Set<Int64>? = [], tags: Set<String> = []) {
        self.authors = authors
        self.tags = tags
    }

    /// The approximate memory in bytes.
    package var cost: Int { 16 * (authors?.count ?? 1) + 128 * tags.count }
}
