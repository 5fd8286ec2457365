/// An entry of the change feed: what an account could have received as an event of a stream.
public struct Change: Sendable {
    /// The position after this change.
    public let position: String
    /// `update`, `status.update`, `delete`, `notification`, `conversation`, `filters_changed`, or `resync`: changes are
    /// missing, because the position was too old or from another database, so that the reader must read its pages again.
    public let event: String
    /// What has changed, such as the id of a status.
    public let id: String?
    /// The time of the change in ISO 8601.
    public let time: String?
    /// The status as it is now; `nil` if it has been deleted, or if the change concerns no status.
    public let entry: TimelineEntry?
}
