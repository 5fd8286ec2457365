import FeedAPI
import FeedCore

extension JSONWriter {
    /// Writes a Notification entity.
    mutating func notification(_ notification: Notification, _ entities: EntityContext, viewer: Viewer) {
        object {
            $0.field("id", id: notification.id)
            $0.field("type", notification.kind.rawValue)
            $0.field("created_at", time: notification.createdAt)
            $0.field("group_key", notification.groupKey)
            $0.key("account")
            $0.account(notification.from, entities)
            if let status = notification.status {
                $0.key("status")
                $0.status(status, entities, viewer: viewer)
            }
            if let report = notification.report {
                $0.key("report")
                $0.report(report, entities)
            }
        }
    }

    /// Writes a GroupedNotificationsResults entity, which contains each account and status once.
    /// - Parameter hasPartialAccounts: Whether only the newest account of each group is written in full.
    mutating func groups(
        _ groups: [NotificationGroup], hasPartialAccounts: Bool, _ entities: EntityContext, viewer: Viewer
    ) {
        let accounts = GroupAccounts(groups, hasPartial: hasPartialAccounts)
        object {
            $0.array("accounts") { for account in accounts.full { $0.account(account, entities) } }
            if hasPartialAccounts {
                $0.array("partial_accounts") {
                    for account in accounts.partial { $0.partialAccount(account, entities) }
                }
            }
            $0.array("statuses") {
                for status in Self.distinct(groups.compactMap(\.status), by: \.pageID) {
                    $0.status(status, entities, viewer: viewer)
                }
            }
            $0.array("notification_groups") { for group in groups { $0.group(group, entities) } }
        }
    }

    /// Writes a NotificationGroup entity.
    private mutating func group(_ group: NotificationGroup, _ entities: EntityContext) {
        object {
            $0.field("group_key", group.key)
            $0.field("notifications_count", group.count)
            $0.field("type", group.kind.rawValue)
            // A number, unlike all other ids: applications for Mastodon decode it as one.
            $0.key("most_recent_notification_id")
            $0.int(group.newestID)
            if let oldest = group.pageMinID {
                $0.field("page_min_id", id: oldest)
                $0.field("page_max_id", id: group.newestID)
                $0.field("latest_page_notification_at", time: group.newestAt)
            }
            $0.array("sample_account_ids") { for account in group.accounts { $0.id(account.id) } }
            if let status = group.status { $0.field("status_id", id: status.pageID) }
            if let report = group.report {
                $0.key("report")
                $0.report(report, entities)
            }
        }
    }

    /// Writes a PartialAccountWithAvatar entity.
    private mutating func partialAccount(_ account: Account, _ entities: EntityContext) {
        object {
            $0.field("id", id: account.id)
            $0.field("acct", account.username)
            $0.field("locked", account.isLocked)
            $0.field("bot", account.isBot)
            $0.key("url")
            $0.address(entities.base, "/@", account.username)
            $0.avatar(of: account, base: entities.base)
        }
    }

    fileprivate static func distinct<Value>(_ values: [Value], by id: (Value) -> Int64) -> [Value] {
        var ids: Set<Int64> = []
        return values.filter { ids.insert(id($0)).inserted }
    }
}

/// The accounts of several groups, each once.
private struct GroupAccounts {
    let full: [Account]
    let partial: [Account]

    init(_ groups: [NotificationGroup], hasPartial: Bool) {
        let all = JSONWriter.distinct(groups.flatMap(\.accounts), by: \.id)
        let newest = Set(groups.compactMap(\.accounts.first?.id))
        full = hasPartial ? all.filter { newest.contains($0.id) } : all
        partial = hasPartial ? all.filter { !newest.contains($0.id) } : []
    }
}

extension Response {
    /// The number of unread notifications.
    init(unread count: Int) {
        var json = JSONWriter(capacity: 32)
        json.object { $0.field("count", count) }
        self.init(json: json)
    }
}
