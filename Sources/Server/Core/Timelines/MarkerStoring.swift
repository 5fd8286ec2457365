/// Stores read positions.
package protocol MarkerStoring: Sendable {
    /// The markers an account has set for the given timelines.
    func markers(of account: Int64, _ timelines: Set<Marker.Timeline>) async throws -> [Marker]
    /// Moves markers in one transaction. A marker may also be moved backwards.
    /// - Parameter versions: The versions that the caller has seen; `nil` for a marker that did not exist. Markers that
    ///   are missing here are moved in any case.
    /// - Returns: The moved markers.
    /// - Throws: ``FeedError`` `.conflict`, without moving any, if a marker has been moved elsewhere since then.
    func move(
        _ positions: [Marker.Timeline: Int64], from versions: [Marker.Timeline: Int?], of account: Int64
    ) async throws -> [Marker]
}
