/// URL paths used by both the server and the client.
public enum Paths {
    public static let publicTimeline = "/api/v1/timelines/public"
    public static let homeTimeline = "/api/v1/timelines/home"
    public static let statuses = "/api/v1/statuses"
    public static let scheduledStatuses = "/api/v1/scheduled_statuses"
    public static let media = "/api/v1/media"
    /// Uploads a media file; the server may process it after it has responded.
    public static let mediaUpload = "/api/v2/media"
    public static let accounts = "/api/v1/accounts"
    public static let verifyCredentials = "/api/v1/accounts/verify_credentials"
    public static let lookup = "/api/v1/accounts/lookup"
    public static let instance = "/api/v1/instance"
    public static let apps = "/api/v1/apps"
    public static let token = "/oauth/token"
    public static let revoke = "/oauth/revoke"
    public static let files = "/files"
    public static let health = "/health"
    public static let ready = "/ready"
    public static let metrics = "/metrics"
    public static let classicView = "/ViewStatus.aspx"
    public static let classicDownload = "/FileDownload.aspx"
    public static let classicUpload = "/FileUpload.aspx"
}
