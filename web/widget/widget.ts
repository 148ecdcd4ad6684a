document.documentElement.dataset.videoCallQueue = 'loaded';
