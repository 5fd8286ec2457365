import FeedCore

extension ServeSettings {
    /// The settings that can change while the server runs.
    var reloadable: ReloadableSettings.Values {
        var values = ReloadableSettings.Values()
        if let rateLimit { values.limits.setRequests(rateLimit) }
        file?.apply(to: &values.limits)
        values.limits.fileBytes = maximumFileBytes ?? values.limits.fileBytes
        values.limits.accountBytes = quotaBytes
        values.site = file?.site ?? values.site
        values.proxies = proxies
        values.registration = registration
        values.allowsAnonymousUploads = allowsAnonymousUploads
        return values
    }
}
