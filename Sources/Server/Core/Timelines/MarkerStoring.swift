/// Stores read positions.
package protocol MarkerStoring: Sendable {
    /// The markers an account has set for the given timelines.
    func markers(of account: Int64, _ timelines: Set<Marker.Timeline>) async throws -> [Marker]
    /// Moves markers in one transaction. A marker may also be moved backwards.
    /// - Returns: The moved markers.
    func move(_ positions: [Marker.Timeline: Int64], of account: Int64) async throws -> [Marker]
}
