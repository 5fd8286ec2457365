/// Limits the edit history of a status to the first version and the newest ones.
package enum StatusHistory {
    /// The maximum number of versions kept, including the current one.
    package static let maximumVersions = 50

    /// The numbers of the former versions to remove, or `nil` if all are kept. The first version has the number 0.
    /// - Parameter newest: The number of the newest former version.
    package static func removed(newest: Int) -> ClosedRange<Int>? {
        newest >= maximumVersions - 1 ? 1...(newest - (maximumVersions - 2)) : nil
    }
}
