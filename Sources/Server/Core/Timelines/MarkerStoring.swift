/// How far accounts have read.
package protocol MarkerStoring: Sendable {
    func markers(of account: Int64, _ timelines: Set<Marker.Timeline>) async throws -> [Marker]
    /// Moves markers, also backwards; all or none.
    /// - Returns: Those that were named.
    func move(_ positions: [Marker.Timeline: Int64], of account: Int64) async throws -> [Marker]
}
