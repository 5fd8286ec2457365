/// Which versions of an edited status are kept: the first one and the newest, so that the history stays small however often a
/// status is edited.
package enum StatusHistory {
    /// Versions kept, including the present one.
    package static let maximumVersions = 50

    /// The numbers of the former versions to remove; the first version has number 0.
    /// - Parameter newest: The number of the newest former version.
    package static func removed(newest: Int) -> ClosedRange<Int>? {
        let last = newest - (maximumVersions - 2)
        return last >= 1 ? 1...last : nil
    }
}
